import type { Command } from '../command.ts'
import { explain } from './explain.ts'
import { pack } from './pack.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [pack, explain]
