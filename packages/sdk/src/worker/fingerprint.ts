import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { WorkflowImplementation } from '../authoring/workflow.ts'

/**
 * Says whether the code of a workflow is the same: sha256 over the function's text and the build.
 *
 * @param buildId  what names the build; left out: a digest of the file that implements the workflow
 */
export async function fingerprintOf(workflow: WorkflowImplementation, buildId: string | undefined): Promise<string> {
  const build = buildId ?? (await digestOfFile(workflow.source.file))
  return `sha256:${createHash('sha256').update(workflow.source.text).update('\n').update(build).digest('hex')}`
}

async function digestOfFile(file: string | undefined): Promise<string> {
  if (file === undefined) return ''
  const path = file.startsWith('file://') ? fileURLToPath(file) : file
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  } catch {
    // A bundle or an archive has no such file; the function's text alone tells versions apart then.
    return ''
  }
}
