import type { Command } from '../command.ts'
import { approve } from './approve.ts'
import { diff } from './diff.ts'
import { explain } from './explain.ts'
import { inspect } from './inspect.ts'
import { keygen } from './keygen.ts'
import { manifest } from './manifest.ts'
import { pack } from './pack.ts'
import { reproduce } from './reproduce.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [pack, manifest, reproduce, keygen, approve, inspect, diff, explain]
