import type { Command } from '../command.ts'
import { accept } from './accept.ts'
import { approve } from './approve.ts'
import { explain } from './explain.ts'
import { keygen } from './keygen.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [accept, keygen, approve, explain]
