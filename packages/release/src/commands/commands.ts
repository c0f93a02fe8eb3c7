import type { Command } from '../command.ts'
import { approve } from './approve.ts'
import { explain } from './explain.ts'
import { keygen } from './keygen.ts'
import { pack } from './pack.ts'
import { publish } from './publish.ts'
import { readback } from './readback.ts'
import { watch } from './watch.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [pack, keygen, approve, publish, readback, watch, explain]
