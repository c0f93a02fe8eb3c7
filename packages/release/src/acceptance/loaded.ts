// Which files the programs of an acceptance loaded, those that were killed too.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The text of a module that writes down, in a file a process, every module that is loaded after it. */
export const preload = (folder: string): string => `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const file = ${JSON.stringify(`${folder}/`)} + process.pid + '.txt'
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(file, url + '\\n')
    return next(url, context)
  },
})
`

/** Files that were loaded, by absolute path, sorted. @param lists  the folder that `preload` was given */
export function loadedFiles(lists: string): string[] {
  const urls = readdirSync(lists).flatMap((list) => readFileSync(join(lists, list), 'utf8').trim().split('\n'))
  const files = urls.filter((url) => url !== '').map((url) => fileURLToPath(withoutQuery(url)))
  return [...new Set(files)].toSorted()
}

/** Of loaded files, those that do not lie in the folder; from there. */
export const loadedFromElsewhere = (folder: string, lists: string): string[] =>
  loadedFiles(lists)
    .filter((file) => !file.startsWith(`${folder}${sep}`))
    .map((file) => relative(folder, file))

const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '')
