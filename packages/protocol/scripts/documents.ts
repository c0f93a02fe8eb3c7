// Reads the documents under spec/ as plain JSON. Nothing here knows what they mean.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export interface Documents {
  worker: JsonObject
  workerAdditions: JsonObject
  control: JsonObject
  /** By file name without extension. */
  events: Record<string, JsonObject>
  commands: Record<string, JsonObject>
  shared: Record<string, JsonObject>
  reasons: JsonObject
  limits: JsonObject
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) throw new Error(`${what} is not an object`)
  return value
}

export function asString(value: Json | undefined, what: string): string {
  if (typeof value !== 'string') throw new Error(`${what} is not a string`)
  return value
}

export function asStrings(value: Json | undefined, what: string): string[] {
  if (!Array.isArray(value)) throw new Error(`${what} is not a list`)
  return value.map((item) => asString(item, `an item of ${what}`))
}

async function readYaml(path: string): Promise<JsonObject> {
  const value: Json = parse(await readFile(path, 'utf8'))
  return asObject(value, path)
}

async function readJson(path: string): Promise<JsonObject> {
  const value: Json = JSON.parse(await readFile(path, 'utf8'))
  return asObject(value, path)
}

async function readFolder(path: string): Promise<Record<string, JsonObject>> {
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
  const entries = await Promise.all(
    names.map(async (name) => [name.slice(0, -'.json'.length), await readJson(join(path, name))] as const),
  )
  return Object.fromEntries(entries)
}

export async function readDocuments(specFolder: string): Promise<Documents> {
  const at = (...parts: string[]) => join(specFolder, ...parts)
  const [worker, workerAdditions, control, events, commands, shared, reasons, limits] = await Promise.all([
    readYaml(at('worker', '1.19.yaml')),
    readYaml(at('worker', '1.20.additions.yaml')),
    readYaml(at('control', '2.yaml')),
    readFolder(at('schemas', 'events')),
    readFolder(at('schemas', 'commands')),
    readFolder(at('schemas')),
    readYaml(at('schemas', 'reasons.yaml')),
    readYaml(at('schemas', 'limits.yaml')),
  ])
  return { worker, workerAdditions, control, events, commands, shared, reasons, limits }
}
