import type { Command } from '../command.ts'
import { accept } from './accept.ts'
import { approve } from './approve.ts'
import { check } from './check.ts'
import { diff } from './diff.ts'
import { explain } from './explain.ts'
import { inspect } from './inspect.ts'
import { keygen } from './keygen.ts'
import { manifest } from './manifest.ts'
import { pack } from './pack.ts'
import { pin } from './pin.ts'
import { plan } from './plan.ts'
import { publish } from './publish.ts'
import { readback } from './readback.ts'
import { reproduce } from './reproduce.ts'
import { tuple } from './tuple.ts'
import { verify } from './verify.ts'
import { verifyPins } from './verify-pins.ts'
import { watch } from './watch.ts'
import { withdraw } from './withdraw.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [
  plan,
  pack,
  manifest,
  inspect,
  diff,
  reproduce,
  accept,
  keygen,
  approve,
  check,
  publish,
  readback,
  tuple,
  pin,
  verifyPins,
  watch,
  withdraw,
  verify,
  explain,
]
