import type { rules } from './rules.ts'

/** A rule tried on a repository of a few lines; `finds` lists the paths (and lines) it must name, none where all is well. */
export interface Trial {
  rule: keyof typeof rules
  breaks: string
  files: Readonly<Record<string, string>>
  finds: readonly string[]
}

const core = 'packages/engine/src/core'
const sample = 'packages/codec/src/value.ts'
const event = (appendedBy: string, stage = ''): string =>
  JSON.stringify({ 'x-appended-by': appendedBy, ...(stage && { 'x-stage': stage }) })

export const broken: readonly Trial[] = [
  {
    rule: 'noRoomWithoutNoun',
    breaks: 'folders that name no thing',
    files: { 'packages/sdk/src/utils/ms.ts': '', 'packages/sdk/src/types/run.ts': '', 'packages/sdk/helpers/x.ts': '' },
    finds: ['packages/sdk/helpers/x.ts', 'packages/sdk/src/types/run.ts', 'packages/sdk/src/utils/ms.ts'],
  },
  {
    rule: 'noRoomWithoutNoun',
    breaks: 'nothing in rooms of a noun, nor in type tests',
    files: { 'packages/sdk/src/replay/common.ts': '', 'packages/sdk/test/types/run.ts': '' },
    finds: [],
  },
  {
    rule: 'noLargeFile',
    breaks: 'a binary of 100 kB',
    files: { 'docs/picture.png': '\0'.repeat(100_001) },
    finds: ['docs/picture.png'],
  },
  {
    rule: 'noLargeFile',
    breaks: 'nothing in a long text',
    files: { 'spec/long.yaml': 'a'.repeat(200_000) },
    finds: [],
  },
  {
    rule: 'noRegistry',
    breaks: 'a registry in the lockfile and in settings',
    files: {
      'pnpm-lock.yaml':
        'packages:\n  ms@2.1.3:\n    resolution: {integrity: sha512-x, tarball: https://example.test/ms.tgz}\n',
      '.npmrc': 'registry=http://example.test/\n',
    },
    finds: ['.npmrc:1', 'pnpm-lock.yaml:3'],
  },
  {
    rule: 'noRegistry',
    breaks: 'nothing in a lockfile of digests',
    files: {
      'pnpm-lock.yaml':
        'packages:\n  ms@2.1.3:\n    resolution: {integrity: sha512-x}\n    deprecated: see https://example.test\n',
    },
    finds: [],
  },
  {
    rule: 'oneTypeCheck',
    breaks: 'a package with compiler options of its own',
    files: {
      'packages/codec/tsconfig.json': '{"extends":"../../tsconfig.base.json","compilerOptions":{"strict":false}}',
    },
    finds: ['packages/codec/tsconfig.json'],
  },
  {
    rule: 'oneTypeCheck',
    breaks: 'nothing in one that only extends',
    files: { 'packages/codec/tsconfig.json': '{"extends":"../../tsconfig.base.json"}' },
    finds: [],
  },
  {
    rule: 'noClaimedType',
    breaks: 'any, casts and `!`',
    files: { [sample]: 'const a: any = 1\nconst b = a as string\nconst c = <string>a\nconst d = c!\n' },
    finds: [`${sample}:1`, `${sample}:2`, `${sample}:3`, `${sample}:4`],
  },
  {
    rule: 'noClaimedType',
    breaks: 'nothing in `as const`, renamed imports, rows.ts and generated code',
    files: {
      [sample]: "import { a as b } from './b.ts'\nexport const c = ['any as string', b] as const\n",
      'packages/store-sql/src/rows.ts': 'export const row = JSON.parse(text) as Row\n',
      'packages/protocol/src/generated/types.ts': 'export type Body = any\n',
    },
    finds: [],
  },
  {
    rule: 'noSilencedCompiler',
    breaks: 'silenced errors',
    files: { [sample]: '// @ts-ignore\nlet a = 1\nfunction f() {\n  // @ts-expect-error\n}\n' },
    finds: [`${sample}:1`, `${sample}:4`],
  },
  {
    rule: 'noSilencedCompiler',
    breaks: 'nothing in type tests and in texts',
    files: {
      'packages/sdk/test/types/run.ts': '// @ts-expect-error a number is no duration\nsleep({})\n',
      [sample]: "const a = '@ts-ignore'\n",
    },
    finds: [],
  },
  {
    rule: 'noBareTodo',
    breaks: 'what nobody will do',
    files: { [sample]: 'const a = 1 // TODO later\n', 'spec/control/2.yaml': 'openapi: 3.1.0 # FIXME\n' },
    finds: [`${sample}:1`, 'spec/control/2.yaml:1'],
  },
  {
    rule: 'noBareTodo',
    breaks: 'nothing in an issue and in texts',
    files: { [sample]: "// TODO(#12) measure\nconst a = 'TODO'\n" },
    finds: [],
  },
  {
    rule: 'pureRooms',
    breaks: 'the world in core and in replay',
    files: {
      [`${core}/rules/due.ts`]:
        'const now = () => Date.now()\nconst dice = () => Math.random()\nasync function wait() {\n  await wait()\n}\n',
      'packages/sdk/src/replay/replay.ts':
        "console.log(process.env)\nsetTimeout(f, 1)\nconst at = globalThis['Date']\n",
    },
    finds: [
      `${core}/rules/due.ts:1`,
      `${core}/rules/due.ts:2`,
      `${core}/rules/due.ts:3`,
      `${core}/rules/due.ts:4`,
      'packages/sdk/src/replay/replay.ts:1',
      'packages/sdk/src/replay/replay.ts:1',
      'packages/sdk/src/replay/replay.ts:2',
      'packages/sdk/src/replay/replay.ts:3',
    ],
  },
  {
    rule: 'pureRooms',
    breaks: 'nothing in names that only look like the world, in the shell, or in replay awaiting its drain',
    files: {
      [`${core}/rules/due.ts`]:
        'const f = (x: X, process: Process) => x.process + process.id + x.Date\nexport interface X { console: number }\n',
      'packages/engine/src/engine.ts': 'await Promise.resolve(Date.now())\n',
      'packages/sdk/src/replay/replay.ts': 'export const step = async (drain: Drain) => await drain()\n',
    },
    finds: [],
  },
  {
    rule: 'noModuleState',
    breaks: 'what outlives a call',
    files: {
      [`${core}/rules/due.ts`]:
        'let count = 0\nconst seen = new Map()\nconst table = { a: 1 }\nexport const f = () => {\n  table.a = 2\n}\nclass X {\n  static made = 0\n}\n',
    },
    finds: [`${core}/rules/due.ts:1`, `${core}/rules/due.ts:2`, `${core}/rules/due.ts:5`, `${core}/rules/due.ts:8`],
  },
  {
    rule: 'noModuleState',
    breaks: 'nothing in fixed tables and local state',
    files: {
      [`${core}/rules/due.ts`]:
        "const order = ['a', 'b'] as const\nconst known: ReadonlySet<string> = new Set(order)\nexport const f = () => {\n  const seen = new Map()\n  seen.set(1, known)\n}\n",
    },
    finds: [],
  },
  {
    rule: 'oneAuthorPerEvent',
    breaks: 'two authors, the wrong author, none, and one that was planned',
    files: {
      'spec/schemas/events/A.json': event('core/rules/a'),
      'spec/schemas/events/B.json': event('core/rules/b'),
      'spec/schemas/events/C.json': event('core/rules/c'),
      'spec/schemas/events/D.json': event('core/rules/a', 'planned'),
      'spec/schemas/events/E.json': '{}',
      [`${core}/rules/a.ts`]:
        "export function one(draft: Draft) {\n  append(draft, 'A', {})\n  draft.append({ type: 'B' })\n  append(draft, 'D', {})\n}\n",
      [`${core}/rules/b.ts`]: "export const two = (draft: Draft) => append(draft, 'A', {})\n",
    },
    finds: [
      `${core}/rules/a.ts:2`,
      `${core}/rules/b.ts:1`,
      `${core}/rules/a.ts:3`,
      'spec/schemas/events/C.json',
      'spec/schemas/events/D.json',
      'spec/schemas/events/E.json',
    ],
  },
  {
    rule: 'oneAuthorPerEvent',
    breaks: 'nothing where each event has the author its schema names',
    files: {
      'spec/schemas/events/A.json': event('core/rules/a'),
      'spec/schemas/events/D.json': event('core/rules/d', 'planned'),
      [`${core}/rules/a.ts`]:
        "export function one(draft: Draft) {\n  if (draft.open) append(draft, 'A', { open: true })\n  else append(draft, 'A', {})\n}\n",
      [`${core}/rules/a.test.ts`]: "test('A', () => append(draft, 'A', {}))\n",
    },
    finds: [],
  },
  {
    rule: 'commandsHaveFiles',
    breaks: 'a command without a file, a file without a command, and one that was planned',
    files: {
      'spec/schemas/commands/start_timer.json': '{}',
      'spec/schemas/commands/fail_update.json': '{"x-stage":"planned"}',
      [`${core}/commands/fail-update.ts`]: '',
      [`${core}/commands/explode.ts`]: 'export const explode = defineCommand({})\n',
    },
    finds: [
      'spec/schemas/commands/fail_update.json',
      'spec/schemas/commands/start_timer.json',
      `${core}/commands/explode.ts`,
    ],
  },
  {
    rule: 'commandsHaveFiles',
    breaks: 'nothing where both are there',
    files: {
      'spec/schemas/commands/start_timer.json': '{}',
      [`${core}/commands/start-timer.ts`]: 'defineCommand({})',
      [`${core}/commands/command.ts`]: 'defineCommand',
    },
    finds: [],
  },
  {
    rule: 'reasonsAreGiven',
    breaks: 'a reason that nobody gives and a planned one that is given',
    files: {
      'spec/schemas/reasons.yaml':
        'reasons:\n  run_closed: { status: 409 }\n  gone: { status: 404 }\n  later: { status: 409, x-stage: planned }\n',
      [`${core}/rules/fence.ts`]: "refuse('run_closed')\nrefuse({ reason: 'later' })\n",
      'packages/server/src/sentences.ts': "export const sentences = { gone: 'It is gone.', 'run_closed': '' }\n",
    },
    finds: ['spec/schemas/reasons.yaml', 'spec/schemas/reasons.yaml'],
  },
  {
    rule: 'reasonsAreGiven',
    breaks: 'nothing where every reason is given',
    files: {
      'spec/schemas/reasons.yaml': 'run_closed: { status: 409 }\n',
      [`${core}/rules/fence.ts`]: "refuse('run_closed')\n",
    },
    finds: [],
  },
  {
    rule: 'invariantsAreTested',
    breaks: 'a promise that no test names',
    files: {
      'packages/engine/src/unit-of-work.ts':
        '// One unit of work.\n//   UW1  One.\n//   UW2  Two (L-07).\n\nexport {}\n',
      'packages/engine/test/group.test.ts': "test('UW1 one', f) // UW2\n",
    },
    finds: ['packages/engine/src/unit-of-work.ts', 'packages/engine/src/unit-of-work.ts'],
  },
  {
    rule: 'invariantsAreTested',
    breaks: 'nothing where each promise has its test, and in names that are no promise',
    files: {
      'packages/engine/src/unit-of-work.ts': '// UW1 in UTF-16 and SHA-256.\nexport {}\n',
      'packages/engine/test/group.test.ts': "test('UW1 one', f)\n",
    },
    finds: [],
  },
  {
    rule: 'mapNamesRealInvariants',
    breaks: 'an invariant of no file',
    files: { 'ARCHITECTURE.md': '# Map\nUW9 holds.\n' },
    finds: ['ARCHITECTURE.md:2'],
  },
  {
    rule: 'mapNamesRealInvariants',
    breaks: 'nothing where a header has it',
    files: { 'ARCHITECTURE.md': 'UW1 holds.\n', 'packages/engine/src/unit-of-work.ts': '// UW1 One.\nexport {}\n' },
    finds: [],
  },
  {
    rule: 'namedExportsOnly',
    breaks: 'default and star',
    files: {
      'packages/codec/src/index.ts': "export default 1\nexport * from './value.ts'\nexport { a } from './a.ts'\n",
    },
    finds: ['packages/codec/src/index.ts:1', 'packages/codec/src/index.ts:2'],
  },
  {
    rule: 'namedExportsOnly',
    breaks: 'nothing in a list of names',
    files: { 'packages/codec/src/index.ts': "export { a } from './a.ts'\nexport type * as b from './b.ts'\n" },
    finds: [],
  },
  {
    rule: 'publicNamesAreDocumented',
    breaks: 'a public name without a docstring, through a renamed re-export',
    files: {
      'packages/codec/src/index.ts': "export { a as b } from './a.ts'\nexport { c } from './a.ts'\n",
      'packages/codec/src/a.ts': 'export const a = 1\n/** What c means. */\nexport const c = 1\n',
    },
    finds: ['packages/codec/src/index.ts:1'],
  },
  {
    rule: 'publicNamesAreDocumented',
    breaks: 'nothing where it is documented at its source, or comes from elsewhere',
    files: {
      'packages/codec/src/index.ts':
        "export { a } from './a.ts'\nexport type { T } from '@durable-workflow/protocol'\n",
      'packages/codec/src/a.ts': "export { a } from './b.ts'\n",
      'packages/codec/src/b.ts': '/** What a means. */\nexport function a(): void {}\n',
    },
    finds: [],
  },
  {
    rule: 'documentsNameRealPaths',
    breaks: 'paths that are not there, in prose, in links and in fences',
    files: { 'README.md': 'See `packages/gone/` and [this](docs/gone.md).\n```\nengine/gone.ts  the door\n```\n' },
    finds: ['README.md:1', 'README.md:1', 'README.md:3'],
  },
  {
    rule: 'documentsNameRealPaths',
    breaks: 'nothing in paths that are there, whole or shortened, and in words with a stroke',
    files: {
      'README.md':
        'See `packages/engine/`, `engine/engine.ts`, `core/state/*.ts`, [x](packages/engine/src/engine.ts#door), `and/or`, `src/engine.ts`.\n```sh\nnode tests/mine.ts\n```\n',
      'packages/engine/README.md': 'See `src/engine.ts`.\n',
      'packages/engine/src/engine.ts': '',
      [`${core}/state/run.ts`]: '',
    },
    finds: [],
  },
  {
    rule: 'wireWordsStayInTheirRooms',
    breaks: 'wire words in the core and in the shell',
    files: {
      [`${core}/state/run.ts`]: "export interface Run {\n  run_id: string\n}\nconst a = { 'task_queue': 1 }\n",
      [`${core}/rules/fence.ts`]: 'const a = { task_id: 1 }\nconst b = a.task_id\nconst task_id = 1\n',
      'packages/engine/src/engine.ts': 'const lease_owner = 1\n',
    },
    finds: [
      `${core}/rules/fence.ts:2`,
      `${core}/rules/fence.ts:3`,
      `${core}/state/run.ts:2`,
      `${core}/state/run.ts:4`,
      'packages/engine/src/engine.ts:1',
    ],
  },
  {
    rule: 'wireWordsStayInTheirRooms',
    breaks: 'nothing in values, in event payloads and in rooms of the wire',
    files: {
      [`${core}/rules/retry.ts`]:
        "append(draft, 'ActivityRetryScheduled', { next_attempt: 1 })\nconst a = event.payload.next_attempt === 'run_closed'\n",
      'packages/server/src/routes/runs.ts': 'const body = { run_id: 1 }\n',
    },
    finds: [],
  },
  {
    rule: 'statusSecret',
    breaks: 'status codes outside the reply',
    files: {
      'packages/server/src/app.ts':
        'reply.code(404)\nreply.statusCode = 500\nconst a = { status: 409 }\nconst b = reasons[name].status\n',
    },
    finds: [
      'packages/server/src/app.ts:1',
      'packages/server/src/app.ts:2',
      'packages/server/src/app.ts:3',
      'packages/server/src/app.ts:4',
    ],
  },
  {
    rule: 'statusSecret',
    breaks: 'nothing in the reply itself and in other statuses',
    files: {
      'packages/server/src/reply.ts': 'reply.code(404)\n',
      [`${core}/state/run.ts`]: "const a = { status: 'closed', limit: 404 }\n",
    },
    finds: [],
  },
]
