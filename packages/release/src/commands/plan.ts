import { readFileSync } from 'node:fs'
import { diffManifests } from '../archive/diff.ts'
import { linesOfDiff } from '../archive/diff-lines.ts'
import { readCanonical } from '../canonical.ts'
import type { Answer, Command } from '../command.ts'
import { gitAnswer } from '../git.ts'
import { type Manifest, manifest } from '../records/manifest.ts'
import { Misused, type Refused } from '../refusal.ts'
import { shaped } from '../shape.ts'
import { dryManifest, type Plan, plan as planRelease } from '../stages/plan.ts'
import { existingFile, existingRepository, manifestAt } from './existing-file.ts'

/** `rel plan`: what would be released and what stands in its way; with a previous release, what moved since. */
export const plan: Command = {
  name: 'plan',
  says: 'what would be released, and all that stands in its way; writes nothing',
  words: '',
  options: {
    repository: { type: 'string', required: true, says: 'folder of a checkout' },
    policy: { type: 'string', required: true, says: 'the policy: release.policy.json of the repository' },
    commit: { type: 'string', says: 'full id of the commit; what is checked out unless given' },
    previous: {
      type: 'string',
      says: 'evidence folder or manifest of a release: packs into a folder that is removed again, and tells what moved',
    },
  },
  async run(given, context) {
    const repository = existingRepository(given.text('repository'))
    const id = given.optional('commit') ?? headOf(repository)
    const commit = { repository, id }
    const policyPath = existingFile(given.text('policy'))
    const previous = given.optional('previous')
    const before = previous === undefined ? undefined : readManifest(previous)
    const planned = planRelease(commit, policyPath)
    const answer = answerOf(planned)
    if (before === undefined || planned.refusals.length > 0) return answer
    return withDiff(answer, before, await dryManifest(commit, policyPath, context))
  },
}

function readManifest(path: string): Manifest {
  const file = manifestAt(path)
  return shaped(manifest, readCanonical(readFileSync(file, 'utf8'), file), 'manifest')
}

function answerOf({ commit, release, refusals }: Plan): Answer {
  return {
    lines: [...linesOfRelease(commit, release), ...linesOfRefusals(refusals)],
    json: {
      commit,
      release,
      refusals: refusals.map(({ code, facts, message, next }) => ({ code, facts, message, next })),
    },
    refusal: refusals[0],
  }
}

function linesOfRelease(commit: string, release: Plan['release']): string[] {
  if (release === null) return [`nothing can be released of ${commit}`]
  const { version, channel, distTag, packages, changesets, released, schemas } = release
  return [
    `${version} (${channel}) of ${commit}, for the dist-tag ${distTag}`,
    ...packages.map(({ tier, name, directory, needs }) =>
      [`  tier ${tier}  ${name}  ${directory}`, ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : [])].join('  '),
    ),
    `${changesets.length} changesets consumed`,
    ...Object.entries({ ...released, ...schemas }).map(([document, sha256]) => `  ${document.padEnd(16)} ${sha256}`),
  ]
}

const linesOfRefusals = (refusals: readonly Refused[]): string[] =>
  refusals.length === 0
    ? ['nothing stands in its way']
    : refusals.flatMap(({ message, next }) => [`✗ ${message}`, `  Next: ${next}`])

function withDiff({ lines, json }: Answer, before: Manifest, after: Manifest): Answer {
  const difference = diffManifests(before, after)
  return { lines: [...lines, '', ...linesOfDiff(difference)], json: { ...json, difference } }
}

function headOf(repository: string): string {
  const head = gitAnswer(repository, 'rev-parse', '--verify', '--quiet', 'HEAD')
  if (head === undefined) throw new Misused(`${repository} has no commit yet`)
  return head
}
