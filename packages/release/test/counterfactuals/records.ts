// P-37 to P-39, P-46 and what else can be wrong with an evidence folder that somebody hands on.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/canonical.ts'
import { openEvidence } from '../../src/evidence.ts'
import { readPolicy } from '../../src/policy.ts'
import type { RefusalCode } from '../../src/refusal.ts'
import { verifyEvidence } from '../../src/stages/verify.ts'
import { writeSums } from '../../src/sums.ts'
import { type Counterfactual, endingOf } from '../kit/counterfactual.ts'
import { makeWorld, type World, type WorldOptions } from '../kit/world.ts'
import { writeTuple } from '../kit/world-tuple.ts'

type Shows = Counterfactual['shows']
type Change = (world: World) => void | Promise<void>

/** Verifying a folder; SHA256SUMS is written anew after the change, as whoever tampers with a folder would do. */
function resealed(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: Change,
  options: WorldOptions = {},
): Counterfactual {
  const reseal: Change = async (world) => {
    await change(world)
    writeSums(world.folder)
  }
  return tampered(shows, differs, code, reseal, options)
}

/** Verifying a folder whose SHA256SUMS was left as it was. */
const tampered = (
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: Change,
  options: WorldOptions = {},
): Counterfactual => ({
  shows,
  differs,
  layer: 'U',
  code,
  async run(folder, run) {
    const world = await makeWorld(join(folder, 'release'), options)
    if (options.until === undefined) writeTuple(world)
    if (run === 'changed') await change(world)
    return endingOf(() => verifyEvidence(world.folder))
  },
})

/** Changes a text in a file of the folder. */
const edit =
  (path: string, from: string | RegExp, to: string): Change =>
  ({ folder }) => {
    const file = join(folder, path)
    const before = readFileSync(file, 'utf8')
    const after = before.replace(from, to)
    if (after === before) throw new Error(`${path} has no ${from}`)
    writeFileSync(file, after)
  }

/** Signatures differ from run to run, and begin with any digit. */
const otherSignature: Change = ({ folder }) => {
  const file = join(folder, approvalFile)
  const other = (_: string, before: string, digit: string): string => `${before}${digit === 'A' ? 'B' : 'A'}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/("signature": ")(.)/, other))
}

const removal =
  (path: string): Change =>
  ({ folder }) =>
    rmSync(join(folder, path))

const addition =
  (path: string): Change =>
  ({ folder }) =>
    writeFileSync(join(folder, path), 'new\n')

const reproductionFile = 'records/0001-reproduction.json'
const acceptanceFile = 'records/0002-acceptance.json'
const approvalFile = 'records/0003-approval.json'
const publicationFile = 'records/0004-publication.json'
const readbackFile = 'records/0005-readback.json'
const rawFile = 'raw/sqlite/start.history.json'
const other = sha256('another')
const oneAssertionMore = edit(acceptanceFile, '"assertions": 3', '"assertions": 4')

const manifestOf = ({ folder }: World): string => openEvidence(folder).manifestSha256

export const recordsCases: readonly Counterfactual[] = [
  // The chain.
  resealed(['P-37'], 'one digit of the acceptance after its approval', 'record_chain_broken', oneAssertionMore),
  resealed(['P-37'], 'the first record taken out', 'record_chain_broken', removal(reproductionFile)),
  resealed(['P-37'], 'the last record under a higher number', 'record_schema_invalid', ({ folder }) =>
    renameSync(join(folder, readbackFile), join(folder, 'records/0006-readback.json')),
  ),
  resealed(
    ['P-37'],
    'the last record with a higher number inside',
    'record_chain_broken',
    edit(readbackFile, '"sequence": 5', '"sequence": 6'),
  ),
  resealed(['P-37'], 'the policy edited', 'record_digest_mismatch', edit('policy.json', '"hours": 24', '"hours": 25')),
  resealed(['P-37'], 'the manifest taken out', 'record_missing', removal('release-manifest.json')),
  resealed(['P-38'], 'a record of another release', 'record_release_mismatch', async ({ folder }) => {
    mkdirSync(`${folder}-other`)
    const { folder: elsewhere } = await makeWorld(`${folder}-other`, { version: '1.2.4', until: 'reproduction' })
    copyFileSync(join(elsewhere, reproductionFile), join(folder, reproductionFile))
  }),
  resealed(
    ['P-38'],
    'a record that names another release',
    'record_release_mismatch',
    edit(readbackFile, /"releaseId": "1\.2\.3\+\w{6}/, `"releaseId": "1.2.3+000000`),
  ),
  resealed(
    ['P-38'],
    'a record that names another manifest',
    'record_release_mismatch',
    edit(readbackFile, /"manifestSha256": "\w{64}"(?=,\n {2}"outcome)/, `"manifestSha256": "${other}"`),
  ),

  // The form.
  resealed(
    ['P-39'],
    'a field that no schema knows',
    'record_unknown_field',
    edit(readbackFile, '{\n', '{\n  "aNote": "",\n'),
  ),
  resealed(
    ['P-39'],
    'a key given twice',
    'manifest_not_canonical',
    edit(readbackFile, '{\n', '{\n  "details": null,\n'),
  ),
  resealed(['P-39'], 'a space more', 'manifest_not_canonical', edit(readbackFile, '{\n', '{ \n')),
  resealed(['P-39'], 'bytes that are no UTF-8', 'manifest_not_canonical', ({ folder }) => {
    const bytes = readFileSync(join(folder, readbackFile))
    bytes[bytes.indexOf('"observer": "world"') + '"observer": "'.length] = 0xff
    writeFileSync(join(folder, readbackFile), bytes)
  }),
  resealed(
    ['P-39'],
    'a text where a number belongs',
    'record_schema_invalid',
    edit(readbackFile, '"attempts": 1', '"attempts": "1"'),
  ),
  resealed(['P-39'], 'a file among the records that is none', 'record_schema_invalid', addition('records/note.txt')),
  tampered(
    ['P-39'],
    'a line of SHA256SUMS without its digest',
    'record_schema_invalid',
    edit('SHA256SUMS', /^\w{64}/, ''),
  ),
  tampered(
    ['P-39'],
    'the first two lines of SHA256SUMS changed about',
    'manifest_not_canonical',
    edit('SHA256SUMS', /^(.+\n)(.+\n)/, '$2$1'),
  ),

  // The files.
  tampered(['P-37'], 'one byte of a raw result', 'record_digest_mismatch', edit(rawFile, 'start', 'stars')),
  tampered(['P-37'], 'a raw result taken out', 'record_missing', removal(rawFile)),
  tampered(
    ['P-37'],
    'a file that SHA256SUMS does not have',
    'evidence_extra',
    edit('SHA256SUMS', /.+ {2}policy\.json\n/, ''),
  ),
  tampered(
    ['P-37'],
    'a file that a dead program left',
    'evidence_extra',
    addition('records/0006-readback.json.1.draft'),
  ),
  tampered(['P-37'], 'a link instead of a file', 'evidence_extra', ({ folder }) => {
    renameSync(join(folder, rawFile), `${folder}-raw`)
    symlinkSync(`${folder}-raw`, join(folder, rawFile))
  }),
  resealed(
    ['P-37'],
    'one byte of a raw result, and the sums',
    'record_digest_mismatch',
    edit(rawFile, 'start', 'stars'),
  ),
  resealed(['P-37'], 'a raw result taken out, and the sums', 'record_missing', removal(rawFile)),
  resealed(['P-37'], 'a file that no record has', 'evidence_extra', addition('raw/sqlite/more.json')),
  resealed(
    ['P-38'],
    'another toolchain in what packing saw',
    'record_release_mismatch',
    edit('packing.json', '24.21.0', '24.21.1'),
  ),

  // What the records say.
  resealed(
    ['P-46'],
    'an acceptance of another manifest',
    'acceptance_stale',
    (world) => edit(acceptanceFile, `"manifest": "${manifestOf(world)}"`, `"manifest": "${other}"`)(world),
    { until: 'acceptance' },
  ),
  resealed(
    ['P-37'],
    'an input that is no record and no file',
    'record_missing',
    edit(readbackFile, '"publication": "', '"publicatiom": "'),
  ),
  resealed(
    ['P-37'],
    'an input with another digest',
    'record_digest_mismatch',
    edit(readbackFile, /"publication": "\w{64}"/, `"publication": "${other}"`),
    { until: 'readback' }, // without the tuple, which binds the read-back itself
  ),
  resealed(
    ['P-37'],
    'a publication that leaves a package out',
    'record_missing',
    edit(publicationFile, '"package": "@x/spec"', '"package": "@x/sdk"'),
    {
      until: 'publication',
    },
  ),
  resealed(
    ['P-37'],
    'a journal that the publication did not record',
    'record_release_mismatch',
    addition('publication.jsonl'),
  ),
  resealed(
    ['P-37'],
    'a read-back of other bytes',
    'record_release_mismatch',
    edit(readbackFile, '"size": ', '"size": 1'),
    { until: 'readback' },
  ),
  resealed(
    ['P-37'],
    'a read-back that tells nothing',
    'record_missing',
    edit(readbackFile, /"details": \{[\s\S]*\n {2}\},\n(?= {2}"endedAt)/, '"details": null,\n'),
    {
      until: 'readback',
    },
  ),
  resealed(
    ['P-37'],
    'a reproduction in which a package came out otherwise',
    'record_release_mismatch',
    edit(reproductionFile, '"tar": true', '"tar": false'),
    { until: 'reproduction' },
  ),
  resealed(['P-78'], 'a tuple before the read-back', 'tuple_not_verified', (world) => writeTuple(world), {
    until: 'publication',
  }),
  resealed(['P-80'], 'a tuple of another version', 'record_release_mismatch', (world) =>
    writeTuple(world, { version: '1.2.4' }),
  ),
  resealed(['P-84'], 'a tuple that names another acceptance', 'record_digest_mismatch', (world) => {
    const { manifestSha256, records } = openEvidence(world.folder)
    const named = Object.fromEntries(records.map(({ kind, sha256: digest }) => [kind, digest]))
    writeTuple(world, { evidence: { ...named, manifest: manifestSha256, acceptance: other } })
  }),
  resealed(['P-41'], 'an approval whose signature is of another', 'approval_signature_invalid', otherSignature, {
    until: 'approval',
  }),
  policyThatIsNotThere(),
  readerWhoAsksForTwo(),
]

function policyThatIsNotThere(): Counterfactual {
  return {
    shows: ['P-43'],
    differs: 'no policy where it is said to be',
    layer: 'U',
    code: 'record_missing',
    async run(folder, change) {
      const world = await makeWorld(folder, { until: 'manifest' })
      const file = join(world.folder, change === 'changed' ? 'policy' : 'policy.json')
      return endingOf(() => readPolicy(file))
    },
  }
}

function readerWhoAsksForTwo(): Counterfactual {
  return {
    shows: ['P-44'],
    differs: 'the policy of the reader asks for two persons',
    layer: 'U',
    code: 'approval_threshold_unmet',
    async run(folder, change) {
      const { policy } = await makeWorld(folder, { until: 'approval' })
      const threshold = change === 'changed' ? 2 : 1
      return endingOf(() => verifyEvidence(folder, { ...policy, approval: { ...policy.approval, threshold } }))
    },
  }
}
