// Stands for two databases: a source that is read by position, and a target in which a row is written by its key, so that
// writing it twice is writing it once.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Row {
  readonly key: string
  readonly text: string
}

export class Source {
  readonly size: number

  constructor(size: number) {
    this.size = size
  }

  read(at: number): Row {
    return { key: `row-${String(at).padStart(6, '0')}`, text: `the text of row ${at}` }
  }
}

export class Target {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  write(row: Row): void {
    writeFileSync(join(this.#folder, row.key), row.text)
  }

  read(key: string): string | undefined {
    const file = join(this.#folder, key)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  count(): number {
    return readdirSync(this.#folder).length
  }
}
