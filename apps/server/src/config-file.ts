import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from './config.ts'

const fileName = 'durable-workflow.config.ts'

/**
 * Reads the `server` object of durable-workflow.config.ts, if the file is there: `export default { server: { port: 7400 } }`.
 *
 * @throws ConfigError when the file cannot be loaded or exports something else
 */
export async function readConfigFile(directory: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(directory, fileName)
  if (!existsSync(path)) return {}
  const exported = await load(path)
  const { server } = membersOf(exported)
  if (server === undefined) return {}
  if (typeof server !== 'object' || server === null) throw new ConfigError(`server in ${fileName} must be an object.`)
  return { ...server }
}

async function load(path: string): Promise<unknown> {
  try {
    const loaded: { readonly default?: unknown } = await import(pathToFileURL(path).href)
    return loaded.default
  } catch (error) {
    throw new ConfigError(`${fileName} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function membersOf(exported: unknown): { readonly server?: unknown } {
  if (typeof exported === 'object' && exported !== null) return exported
  throw new ConfigError(`${fileName} must have an object as its default export.`)
}
