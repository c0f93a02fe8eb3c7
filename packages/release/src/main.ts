#!/usr/bin/env node
// `rel`: reads the command line, runs one command, says how it ended.
//
// Exit codes: 0 fine · 2 usage · 10 refused · 20 try again · 30 our fault.
import { runProgram } from './program.ts'

process.exitCode = await runProgram(process.argv.slice(2))
