import { existsSync, statSync } from 'node:fs'

/** Whether a path leads to a file, links followed; false where it leads nowhere. */
export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** Whether a path leads to a folder, links followed; false where it leads nowhere. */
export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()
