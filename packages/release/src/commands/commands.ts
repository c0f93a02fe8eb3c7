import type { Command } from '../command.ts'
import { approve } from './approve.ts'
import { check } from './check.ts'
import { diff } from './diff.ts'
import { explain } from './explain.ts'
import { inspect } from './inspect.ts'
import { keygen } from './keygen.ts'
import { manifest } from './manifest.ts'
import { pack } from './pack.ts'
import { publish } from './publish.ts'
import { readback } from './readback.ts'
import { reproduce } from './reproduce.ts'
import { verify } from './verify.ts'
import { watch } from './watch.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [
  pack,
  manifest,
  reproduce,
  keygen,
  approve,
  publish,
  readback,
  watch,
  check,
  verify,
  inspect,
  diff,
  explain,
]
