// Why a release does not go on: a stable code, the facts of this case, and what to do next.
//
// Owns:      the codes, their exit codes, the sentence that a person reads.
// Does not:  judge anything; that is `guard.ts` and those who call it.

/** What a refusal speaks about, by name: `path`, `expected`, `actual`, `limit`. Never a secret. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** 10: refused, a repetition ends alike · 20: the same command may succeed later. */
type Kind = 'refused' | 'retryable' | 'info'

interface Entry {
  readonly area:
    | 'source'
    | 'pack'
    | 'archive'
    | 'identity'
    | 'records'
    | 'reproduce'
    | 'accept'
    | 'approve'
    | 'publish'
    | 'read-back'
    | 'tuple'
    | 'pins'
    | 'transport'
  readonly kind: Kind
  /** What is wrong, without the facts of the case. */
  readonly says: string
  /** The next safe action. */
  readonly next: string
}

const refused = (area: Entry['area'], says: string, next: string): Entry => ({ area, kind: 'refused', says, next })
const retryable = (area: Entry['area'], says: string, next: string): Entry => ({ area, kind: 'retryable', says, next })
const info = (area: Entry['area'], says: string, next: string): Entry => ({ area, kind: 'info', says, next })

const packAgain = 'Mend the source, commit it, and pack the new commit; tarballs are never edited.'
const newRelease = 'Leave this release as it stands and begin a new one from a new commit.'
const burnt = 'The version is taken for ever. Release the next patch version.'
const fetchAgain =
  'Do not trust these bytes. Fetch the tarball again from where it was accepted, and find out who changed it.'

/** Every refusal code (release design §5.7), in the order of the stages. */
export const refusals = {
  // source
  source_dirty: refused(
    'source',
    'The checkout differs from its commit.',
    'Commit or remove what differs, then run it again.',
  ),
  source_commit_mismatch: refused(
    'source',
    'The checkout is not at the commit that was named.',
    'Name the full commit, and check that it was fetched.',
  ),
  source_not_on_protected_branch: refused(
    'source',
    'The commit is not in the history of the protected branch.',
    'Merge it there after review, and release the merged commit.',
  ),
  lockfile_drift: refused(
    'source',
    'The lockfile does not fit the manifests.',
    'Run the install, commit the lockfile, and release that commit.',
  ),
  unconsumed_changesets: refused(
    'source',
    'There are changesets that no version has consumed.',
    'Run `pnpm changeset version`, commit the result, and release that commit.',
  ),
  changelog_entry_missing: refused(
    'source',
    'The changelog has no entry with visible text for this version.',
    'Write it by way of changesets, and release the commit that has it.',
  ),
  changelog_entry_ambiguous: refused(
    'source',
    'The changelog has several entries for this version.',
    'Leave one, and release the commit that has it.',
  ),
  // pack
  out_dir_not_empty: refused(
    'pack',
    'The output folder holds something.',
    'Name a folder that is empty, or not there.',
  ),
  packer_version_mismatch: refused(
    'pack',
    'The tools that packed are not those that the commit pins.',
    'Pack with the pinned versions; other versions write other bytes.',
  ),
  lifecycle_script_present: refused('pack', 'A packed manifest has a script that runs at pack or publish.', packAgain),
  package_set_incomplete: refused('pack', 'A package of the set has no tarball.', packAgain),
  package_set_extra: refused(
    'pack',
    'There is a tarball that belongs to no package of the set.',
    'Pack into an empty folder; list the package in the policy if it is meant.',
  ),
  private_package: refused('pack', 'A private package was packed.', packAgain),
  // archive
  archive_malformed: refused('archive', 'The file is no well-formed gzip of a tar archive.', fetchAgain),
  archive_trailing_data: refused('archive', 'Something follows the end of the archive.', fetchAgain),
  archive_unsafe_path: refused(
    'archive',
    'A member has a path that could leave the package, or that systems read differently.',
    packAgain,
  ),
  archive_link_member: refused('archive', 'A member is a link.', packAgain),
  archive_duplicate_member: refused(
    'archive',
    'Two members have one path, paths that differ in case only, or one is the folder of the other.',
    packAgain,
  ),
  archive_multiple_roots: refused('archive', 'A member lies outside of the folder `package`.', packAgain),
  archive_mode_unexpected: refused(
    'archive',
    'A member has a mode other than 0644 for files and 0755 for programs.',
    packAgain,
  ),
  archive_member_unsupported: refused(
    'archive',
    'A member is no plain file: a folder, a device, a sparse file, or a type unknown to this reader.',
    packAgain,
  ),
  archive_not_canonical: refused('archive', 'A header is written in a way that readers take differently.', packAgain),
  archive_too_large: refused(
    'archive',
    'The archive is larger than allowed, packed or unpacked.',
    'Find out what made it grow; raise the limit in the policy only if that is meant.',
  ),
  file_extra: refused('archive', 'The package has a file that does not belong in it.', packAgain),
  file_missing: refused('archive', 'The package lacks a file that belongs in it.', packAgain),
  file_content_mismatch: refused('archive', 'A file has other content than the manifest binds.', fetchAgain),
  archive_encoding_drift: refused(
    'archive',
    'The contents are equal, but the archive is encoded differently.',
    'Use the accepted file itself; a repacked one is another artifact.',
  ),
  archive_sha256_mismatch: refused('archive', 'The file is not the one that the manifest binds.', fetchAgain),
  file_name_identity_mismatch: refused(
    'archive',
    'The name of the file is not that of the package and version inside.',
    packAgain,
  ),
  // identity
  name_mismatch: refused('identity', 'The package inside has another name.', packAgain),
  version_mismatch: refused('identity', 'The package inside has another version.', packAgain),
  git_head_missing: refused('identity', 'The packed manifest names no commit (gitHead).', packAgain),
  git_head_mismatch: refused('identity', 'The packed manifest names another commit (gitHead).', packAgain),
  workspace_range_unresolved: refused(
    'identity',
    'A dependency has a range that only the workspace understands.',
    'Pack with the pinned pnpm; other packers leave such ranges in.',
  ),
  internal_range_not_exact: refused('identity', 'A dependency inside the set is not an exact version.', packAgain),
  internal_version_skew: refused(
    'identity',
    'A dependency inside the set has another version than the set.',
    packAgain,
  ),
  internal_dependency_cycle: refused(
    'identity',
    'Packages of the set need each other in a circle, so that none can be published first.',
    packAgain,
  ),
  publish_config_registry_forbidden: refused(
    'identity',
    'The packed manifest names a registry (publishConfig.registry).',
    packAgain,
  ),
  install_script_forbidden: refused('identity', 'The packed manifest has a script that runs at install.', packAgain),
  absolute_path_leak: refused('identity', 'A packed file names a folder of the machine that built it.', packAgain),
  protocol_digest_mismatch: refused(
    'identity',
    'A document of the protocol is not what was released under its version.',
    'Release the document first, or take the change back.',
  ),
  // records
  record_schema_invalid: refused(
    'records',
    'A record does not have the shape of its schema.',
    'Take the record from where it was written; records are never edited.',
  ),
  record_unknown_field: refused(
    'records',
    'A record has a field that its schema does not know.',
    'Use the version of `rel` that wrote it, or take the unedited record.',
  ),
  record_digest_mismatch: refused(
    'records',
    'A file has another digest than the one bound to it.',
    'Take the unedited file from where it was kept.',
  ),
  record_chain_broken: refused(
    'records',
    'A record does not follow the one before it.',
    'Take the unedited records from where they were kept.',
  ),
  record_missing: refused(
    'records',
    'A record or a file that is bound is not there.',
    'Run the stage that writes it, or copy the whole evidence folder.',
  ),
  manifest_not_canonical: refused(
    'records',
    'A document is not written as canonical JSON.',
    'Take the unedited document; equal content has one form.',
  ),
  record_release_mismatch: refused(
    'records',
    'A record belongs to another release.',
    'Use the records of one release only.',
  ),
  evidence_extra: refused(
    'records',
    'The evidence folder holds a file that nothing binds.',
    'Remove it, or take the folder from where it was kept.',
  ),
  stage_out_of_order: refused(
    'records',
    'A stage before this one has not passed.',
    'Run the stages in their order; `rel check` tells which is next.',
  ),
  stage_already_final: refused('records', 'This stage has ended for this release, and it ended for good.', newRelease),
  // reproduce
  repack_mismatch: refused(
    'reproduce',
    'Packing the same contents again gave another archive.',
    'Use the pinned packer, and the accepted file itself.',
  ),
  build_not_reproducible: refused(
    'reproduce',
    'A second build of the commit gave other contents.',
    'Find what leaked in (time, path, order, a stale file); mend it in a new commit.',
  ),
  // accept
  acceptance_failed: refused('accept', 'A cell failed.', newRelease),
  acceptance_cell_missing: refused(
    'accept',
    'A cell that the policy requires has no result.',
    'Run every required cell.',
  ),
  acceptance_cell_blocked: refused(
    'accept',
    'A cell could not run.',
    'Provide what it lacks, and run the acceptance of this release again.',
  ),
  acceptance_stale: refused(
    'accept',
    'The acceptance is about another manifest, or older than it.',
    'Accept the tarballs of this manifest.',
  ),
  executed_identity_mismatch: refused(
    'accept',
    'What ran is not what was packed.',
    'Install only the tarballs of this release, into an empty folder.',
  ),
  path_dependency_detected: refused(
    'accept',
    'Something was loaded from outside of the installed folder.',
    'Remove the link; acceptance uses packed bytes only.',
  ),
  worker_restarted: refused(
    'accept',
    'The worker is not the process that began the cells.',
    'Find out why it ended; no supervisor may start it again.',
  ),
  installed_bytes_changed: refused('accept', 'An installed file changed between the cells.', newRelease),
  cleanup_incomplete: refused(
    'accept',
    'Something was left behind: a process, a port, a folder or rows.',
    'End it, then find out which program leaves it.',
  ),
  peer_not_pinned: refused(
    'accept',
    'A peer of the acceptance has no digest.',
    'Name the peer by the digest of its artifact.',
  ),
  probe_proves_nothing: refused(
    'accept',
    'The predecessor passes the probe that it must fail.',
    'Sharpen the probe: it must tell the two apart.',
  ),
  // approve
  approval_missing: refused(
    'approve',
    'There is no approval of these digests.',
    'Ask an approver whom the policy names.',
  ),
  approval_self: refused('approve', 'The approver is the one who produced the release.', 'Somebody else must approve.'),
  approval_signature_invalid: refused(
    'approve',
    'The signature does not fit the approval.',
    'Approve again with the right key.',
  ),
  approval_key_unknown: refused(
    'approve',
    'The policy knows no such key.',
    'Add the key to the policy on the protected branch, by review.',
  ),
  approval_threshold_unmet: refused(
    'approve',
    'There are fewer approvals than the policy asks for.',
    'Ask the other approvers.',
  ),
  approval_expired: refused('approve', 'The approval has expired.', 'Approve again.'),
  approval_scope_mismatch: refused(
    'approve',
    'The approval is for something else: other digests, packages or dist-tag.',
    'Approve exactly what is to be published.',
  ),
  policy_changed_since_approval: refused(
    'approve',
    'The policy is not the one under which the release was approved.',
    'Make the release anew under the policy of now, or take the change of the policy back.',
  ),
  // publish
  registry_not_explicit: refused(
    'publish',
    'No registry was named.',
    'Name it: `--registry URL`; settings and environment are not asked.',
  ),
  registry_mismatch: refused(
    'publish',
    'The registry is not the one of the approval.',
    'Publish where it was approved, or ask for another approval.',
  ),
  version_conflict: refused('publish', 'The registry holds this version with other bytes.', burnt),
  already_published_identical: info(
    'publish',
    'The registry holds this very file already.',
    'Nothing to do; read-back still runs.',
  ),
  publish_rejected: refused(
    'publish',
    'The registry refused the upload.',
    'Read its answer; mend rights or settings, then run it again.',
  ),
  release_in_progress: refused(
    'publish',
    'Another release of this set is between approval and verification, or another publisher is at work.',
    'Finish it or withdraw it first.',
  ),
  tier_predecessor_unverified: refused(
    'publish',
    'A package that this one needs is not verified at the registry.',
    'Run it again; packages go out in the order of their tiers.',
  ),
  directory_publish_forbidden: refused(
    'publish',
    'What is to be published is not an accepted file.',
    'Publish the files of the manifest; no folder, no relative path, no force.',
  ),
  tag_policy_violation: refused(
    'publish',
    'The policy does not allow this dist-tag for this version.',
    'Use the tag of its channel.',
  ),
  // read-back
  readback_absent: retryable('read-back', 'The registry does not show the version yet.', 'Wait, and run it again.'),
  readback_metadata_mismatch: refused(
    'read-back',
    'The registry tells other digests or sizes than the manifest.',
    burnt,
  ),
  readback_bytes_mismatch: refused('read-back', 'The registry serves other bytes than were accepted.', burnt),
  readback_manifest_confusion: refused(
    'read-back',
    'The registry describes the package otherwise than the package itself.',
    burnt,
  ),
  readback_git_head_mismatch: refused('read-back', 'The registry tells another commit (gitHead).', burnt),
  readback_tag_mismatch: refused(
    'read-back',
    'The dist-tag names another version.',
    'Move the tag, or find out who moved it; then read back again.',
  ),
  readback_tarball_origin_mismatch: refused(
    'read-back',
    'The tarball is served from another origin.',
    'Read back from the registry that was approved, and ask its keeper.',
  ),
  readback_deprecated: refused(
    'read-back',
    'The version is deprecated or unpublished.',
    'Find out who did it; withdraw the release or release the next patch version.',
  ),
  readback_answer_unreadable: refused(
    'read-back',
    'The answer has another media type, another size or another form than it must have.',
    'Ask the keeper of the registry; nothing was taken from the answer.',
  ),
  readback_inconsistent: refused(
    'read-back',
    'Two readings of the registry differ.',
    'A cache or a mirror answers; read back again from the registry itself.',
  ),
  latest_tag_unintended: refused(
    'read-back',
    'The registry moved `latest` to a version that must not have it.',
    'Move `latest` back; a registry gives it to the first version of a package.',
  ),
  attestation_missing: refused('read-back', 'The version has no attestation.', burnt),
  attestation_subject_mismatch: refused('read-back', 'The attestation is about another file.', burnt),
  attestation_commit_mismatch: refused('read-back', 'The attestation names another commit.', burnt),
  // tuple
  tuple_not_verified: refused('tuple', 'The release has not been read back.', 'Run `rel readback` first.'),
  tuple_rollback: refused('tuple', 'The tuple is older than one that is known.', 'Use the newest tuple.'),
  tuple_sequence_gap: refused('tuple', 'Tuples are missing between this one and the last.', 'Copy the whole ledger.'),
  tuple_mixed_set: refused(
    'tuple',
    'The versions come from more than one tuple.',
    'Take all components from one tuple.',
  ),
  // pins
  pin_range_not_exact: refused(
    'pins',
    'A dependency is not pinned to an exact version.',
    'Write the exact version of the pins.',
  ),
  pin_integrity_mismatch: refused(
    'pins',
    'The lockfile has another integrity than the pins.',
    'Do not install. Find out where that integrity comes from.',
  ),
  pin_missing: refused(
    'pins',
    'The lockfile has no entry, or no integrity, for a pinned package.',
    'Install the pinned version, and commit the lockfile.',
  ),
  pin_unqualified_version: refused(
    'pins',
    'The lockfile has a version that no tuple qualified.',
    'Move to the version of the pins.',
  ),
  pin_lockfile_unreadable: refused(
    'pins',
    'A lockfile or a manifest cannot be read, or is of a kind that this version does not know.',
    'Write it again with the package manager that made it.',
  ),
  release_withdrawn: refused('pins', 'The release was withdrawn.', 'Move to its successor.'),
  // transport
  registry_unreachable: retryable(
    'transport',
    'The registry does not answer, or its answer breaks off.',
    'Run it again later; it goes on where it stopped.',
  ),
  registry_rate_limited: retryable(
    'transport',
    'The registry asks for fewer requests (429).',
    'Run it again later; it goes on where it stopped.',
  ),
  registry_server_error: retryable(
    'transport',
    'The registry answers with an error of its own (5xx).',
    'Run it again later; it goes on where it stopped.',
  ),
} as const satisfies Readonly<Record<string, Entry>>

/** A stable name of why a stage did not pass; `rel explain CODE` tells more. */
export type RefusalCode = keyof typeof refusals

/** Whether a text is a refusal code. */
export const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(refusals, text)

/** A stage does not go on. `exit` is 10, or 20 where the same command may succeed later. */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly facts: Facts

  constructor(code: RefusalCode, facts: Facts) {
    super(sentenceOf(code, facts))
    this.name = 'Refused'
    this.code = code
    this.facts = facts
  }

  /** The same refusal with further facts, in front: for those who know of what the guard did not. */
  about(facts: Facts): Refused {
    return new Refused(this.code, { ...facts, ...this.facts })
  }

  get exit(): 10 | 20 {
    return refusals[this.code].kind === 'retryable' ? 20 : 10
  }

  get next(): string {
    return refusals[this.code].next
  }
}

/** The command line is wrong: exit 2. */
export class Misused extends Error {
  override readonly name = 'Misused'
}

/** What is wrong, with the facts of the case, in one line. */
export function sentenceOf(code: RefusalCode, facts: Facts): string {
  const told = Object.entries(facts).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : value}`,
  )
  return [`${code}: ${refusals[code].says}`, ...(told.length > 0 ? [`(${told.join('; ')})`] : [])].join(' ')
}

/** How a refusal leaves the program with `--json`. */
export interface Problem {
  readonly code: string
  readonly exit: number
  readonly facts: Facts
  readonly message: string
  readonly next: string
}
