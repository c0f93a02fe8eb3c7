// One connection to PostgreSQL behind the seam. Statements go out as they are given, without waiting for the answers of
// those before (the driver's pipeline); those of one turn share a packet. Hot texts are prepared by name, once.

import { Client, type ClientConfig } from 'pg'
import { nameOf } from '../rows.ts'
import type { Connection, Parameter } from './dialect.ts'
import { isBreaking, translated, UnreadableValueError } from './pg-error.ts'
import { givenText, storedText } from './pg-text.ts'

/**
 * Prepared statements that a connection keeps; further texts are sent whole. Hot ones are about 200: each table in seven
 * sizes, each question for one key and for many.
 */
const preparedMax = 400

/** How long a new connection may take to be there. */
const connectMs = 5_000

/** With neither work nor answers for this long, the system asks whether the other end is still there. */
const keepAliveMs = 10_000

export interface PgConnectionOptions {
  readonly url: string
  /** How long a statement may wait for a lock, in ms. */
  readonly lockWaitMs: number
  /** How long a statement may take on the server, and how long the connection may stay without any answer, in ms. */
  readonly answerMs: number
  /** Hears of every statement that is executed. */
  readonly onStatement: ((statement: string) => void) | undefined
}

export class PgConnection implements Connection {
  readonly #client: Client
  readonly #options: PgConnectionOptions
  readonly #prepared = new Map<string, string>()
  #isCorked = false
  #underWay = 0
  #lastAnswerAt = 0
  #watch: NodeJS.Timeout | undefined
  #isBroken = false
  #serverLife = ''
  #onBroken: () => void = () => {}

  /** Resolves when the connection can be used. @throws StoreUnavailableError */
  static async open(options: PgConnectionOptions): Promise<PgConnection> {
    const connection = new PgConnection(options)
    try {
      await connection.#open()
    } catch (error) {
      connection.destroy()
      throw translated(error)
    }
    return connection
  }

  private constructor(options: PgConnectionOptions) {
    this.#options = options
    this.#client = new Client(clientConfig(options))
    // Between statements too; whoever uses it next gets another one.
    this.#client.on('error', () => this.#breaks())
    this.#client.on('end', () => this.#breaks())
  }

  /** Calls back, once, when nothing can be asked of it any more. */
  onBroken(callback: () => void): void {
    if (this.#isBroken) callback()
    else this.#onBroken = callback
  }

  /** Hears the notifications of channels that it listens to. */
  onNotification(callback: (text: string) => void): void {
    this.#client.on('notification', ({ payload }) => callback(payload ?? ''))
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  async all(statement: string, parameters: readonly Parameter[]): Promise<readonly unknown[]> {
    return (await this.#send(statement, parameters, this.#nameOf(statement))).rows
  }

  async run(statement: string, parameters: readonly Parameter[]): Promise<number> {
    return (await this.#send(statement, parameters, this.#nameOf(statement))).rowCount ?? 0
  }

  async once(statement: string, parameters: readonly Parameter[]): Promise<readonly unknown[]> {
    return (await this.#send(statement, parameters, undefined)).rows
  }

  /** Says goodbye after what is under way. */
  async end(): Promise<void> {
    this.#isBroken = true
    this.#onBroken = () => {}
    clearTimeout(this.#watch)
    await this.#client.end()
  }

  /** Lets go at once; what is under way fails. */
  destroy(): void {
    this.#isBroken = true
    clearTimeout(this.#watch)
    this.#client.connection.stream.destroy()
  }

  #breaks(): void {
    this.#isBroken = true
    this.#onBroken()
    this.#onBroken = () => {}
  }

  /**
   * Tells one life of the server from the next: a crash ends all its processes, also where the postmaster survives, and
   * with it the numbers of transactions that were not on disk are given out again.
   */
  get serverLife(): string {
    return this.#serverLife
  }

  async #open(): Promise<void> {
    await this.#client.connect()
    const [, [row]] = await Promise.all([this.once(settings, []), this.once(lifeOfServer, [])])
    if (row !== undefined) this.#serverLife = nameOf(row)
  }

  #nameOf(statement: string): string | undefined {
    const known = this.#prepared.get(statement)
    if (known !== undefined || this.#prepared.size >= preparedMax) return known
    const name = `s${this.#prepared.size}`
    this.#prepared.set(statement, name)
    return name
  }

  #send(text: string, parameters: readonly Parameter[], name: string | undefined): Promise<Answered> {
    this.#options.onStatement?.(text)
    this.#cork()
    this.#expectAnswer()
    return new Promise((resolve, reject) => {
      const query = { text, values: parameters.map(storedParameter), ...(name === undefined ? {} : { name }) }
      this.#client.query(query, (error: Error | null, result: Answered) => {
        this.#underWay -= 1
        this.#lastAnswerAt = performance.now()
        if (error === null || error === undefined) {
          resolve(result)
          return
        }
        const said = translated(error)
        if (isBreaking(said)) this.#breaks()
        reject(said)
      })
    })
  }

  /** Holds back what is sent in this turn, so that it goes out in one packet. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  // A network that swallows everything answers nothing, not even that it is broken. One timer for a connection, not one
  // for each statement: it looks again as long as answers come.
  #expectAnswer(): void {
    this.#underWay += 1
    if (this.#underWay === 1) this.#lastAnswerAt = performance.now()
    this.#watch ??= setTimeout(() => this.#look(), this.#silenceMs()).unref()
  }

  #look(): void {
    this.#watch = undefined
    if (this.#underWay === 0) return
    const rest = this.#lastAnswerAt + this.#silenceMs() - performance.now()
    if (rest > 0) {
      this.#watch = setTimeout(() => this.#look(), rest).unref()
      return
    }
    this.#client.connection.stream.destroy(new Error(`PostgreSQL did not answer within ${this.#silenceMs()} ms.`))
  }

  /** The server itself gives up before. */
  #silenceMs(): number {
    return this.#options.answerMs + 1_000
  }
}

interface Answered {
  readonly rows: readonly unknown[]
  readonly rowCount: number | null
}

/**
 * Plans are made once a connection and kept, perhaps since a time when the tables were nearly empty. Every statement of
 * ours has an index that answers it row by row, so nothing else is considered, and what counts is how many rows a way
 * visits, not how many pages: a plan that is right for a hundred rows is right for a million. (With the usual costs an
 * update of three rows read the whole primary key, because it had been one page long when the plan was made.)
 */
const settings = [
  'set plan_cache_mode = force_generic_plan',
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((way) => `set enable_${way} = off`),
  'set seq_page_cost = 0',
  'set random_page_cost = 0',
  'set cpu_tuple_cost = 1',
  'set cpu_index_tuple_cost = 1',
  'set cpu_operator_cost = 0.0001',
  'set jit = off',
].join('; ')

/** The background processes of the server, which belong to no database and to no user; their numbers are everybody's to read. */
const lifeOfServer = `select coalesce(string_agg(cast(pid as text), ',' order by pid), '') as name
  from pg_stat_activity where datid is null and usesysid is null`

function clientConfig({ url, lockWaitMs, answerMs }: PgConnectionOptions): ClientConfig {
  return {
    connectionString: url,
    fallback_application_name: 'durable-workflow',
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectMs,
    statement_timeout: answerMs,
    lock_timeout: lockWaitMs,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser: parserOf },
  }
}

function storedParameter(parameter: Parameter): Parameter {
  return typeof parameter === 'string' ? storedText(parameter) : parameter
}

/** The types that our columns and aggregates have, by their number in PostgreSQL's catalog; everything else stays text. */
function parserOf(type: number): (text: string) => string | number {
  switch (type) {
    case 20: // int8
      return wholeNumber
    case 21: // int2
    case 23: // int4
    case 701: // float8
      return Number
    default:
      return givenText
  }
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new UnreadableValueError(`PostgreSQL sent ${text}, beyond what a number holds.`)
  return value
}
