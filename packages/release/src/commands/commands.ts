import type { Command } from '../command.ts'
import { explain } from './explain.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [explain]
