// What the compiler says of files outside of the checkout, under the options of the house.
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './pages.ts'

export interface Complaint {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly says: string
}

/** Checks all files as one program. A sample may leave a name unused: it shows, it does not work for a living. */
export function complaintsOf(files: readonly string[], folder: string): Complaint[] {
  const { config, error } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  const options: ts.CompilerOptions = {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    typeRoots: [join(root, 'node_modules/@types')],
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
  const host = ts.createCompilerHost(options)
  host.getCurrentDirectory = () => folder
  const program = ts.createProgram([...files], options, host)
  // The sources behind the samples have a check of their own: asking for the files alone is four times as fast.
  return files.flatMap((path) => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ file, start = 0, messageText }) => ({
        path,
        line: file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1,
        says: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }),
    )
  })
}
