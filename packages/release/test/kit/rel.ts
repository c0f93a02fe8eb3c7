import type { Context } from '../../src/context.ts'
import { runProgram } from '../../src/program.ts'

/** Runs `rel` in this process; answers with its exit code and what it wrote. */
export async function rel(words: readonly string[], context?: Context) {
  const out: string[] = []
  const err: string[] = []
  const exit = await runProgram(words, { out: (line) => out.push(line), err: (line) => err.push(line) }, context)
  return { exit, out, err }
}
