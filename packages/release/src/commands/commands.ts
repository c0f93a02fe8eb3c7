import type { Command } from '../command.ts'
import { approve } from './approve.ts'
import { explain } from './explain.ts'
import { keygen } from './keygen.ts'
import { pin } from './pin.ts'
import { tuple } from './tuple.ts'
import { verifyPins } from './verify-pins.ts'
import { withdraw } from './withdraw.ts'

/** All commands of `rel`, in the order of the stages. */
export const commands: readonly Command[] = [keygen, approve, tuple, withdraw, pin, verifyPins, explain]
