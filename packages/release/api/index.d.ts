// All that `@durable-workflow/release` opens to its users. Written by `pnpm surface:accept`.

/** Tells whether a value has a shape; it throws, naming the place, when it has not. */
interface Shape<T> {
    /** @throws Refused record_schema_invalid or record_unknown_field, with the path of the field. */
    holds(value: unknown, at: string): value is T;
}
/** The type of what has a shape. */
type Shaped<S> = S extends Shape<infer T> ? T : never;

/** One file of a package; `size` in bytes. */
declare const fileEntry: Shape<{
    readonly path: string;
    readonly size: number;
    readonly mode: "0644" | "0755";
    readonly sha256: string;
}>;
declare const packageEntry: Shape<{
    readonly name: string;
    readonly version: string;
    readonly tier: number;
    readonly directory: string;
    readonly file: {
        readonly name: string;
        readonly size: number;
        readonly sha256: string;
        readonly sha512: string;
        readonly sha1: string;
        readonly tarSha256: string;
        readonly treeSha256: string;
    };
    readonly identity: {
        readonly gitHead: string;
        readonly manifestSha256: string;
        readonly exportsSha256: string;
    };
    readonly files: readonly {
        readonly path: string;
        readonly size: number;
        readonly mode: "0644" | "0755";
        readonly sha256: string;
    }[];
    readonly dependencies: {
        readonly internal: Readonly<Record<string, string>>;
        readonly external: Readonly<Record<string, string>>;
    };
    readonly changelog: {
        readonly entrySha256: string;
        readonly contentLines: number;
    };
}>;
/**
 * `packing.json`: what `rel pack` saw of the source and of the tools, and the tarballs do not say; it becomes part of the
 * manifest. No times.
 */
declare const packing: Shape<{
    readonly schema: "durable-workflow.release/packing/v1";
    readonly version: string;
    readonly source: {
        readonly repository: string;
        readonly commit: string;
        readonly tree: string;
        readonly ref: string;
        readonly dirty: boolean;
        readonly lockfileSha256: string;
        readonly changesetsConsumed: readonly string[];
    };
    readonly toolchain: {
        readonly node: string;
        readonly pnpm: {
            readonly version: string;
            readonly integrity: string | null;
        };
        readonly typescript: {
            readonly version: string;
            readonly integrity: string | null;
        };
        readonly packCommand: readonly string[];
        readonly platform: string;
        readonly zlib: string;
    };
    readonly released: Readonly<Record<string, string>>;
    readonly schemas: Readonly<Record<string, string>>;
}>;
/**
 * `release-manifest.json`: what the release is, without times and without its own id, so that the same commit and tools give
 * the same bytes (P-05). Its sha256 is the root of the chain of records.
 */
declare const manifest: Shape<{
    readonly schema: "durable-workflow.release/manifest/v1";
    readonly version: string;
    readonly channel: "dev" | "rc" | "stable";
    readonly createdBy: {
        readonly tool: "rel";
        readonly version: string;
        readonly sha256: string;
    };
    readonly source: {
        readonly repository: string;
        readonly commit: string;
        readonly tree: string;
        readonly ref: string;
        readonly dirty: boolean;
        readonly lockfileSha256: string;
        readonly changesetsConsumed: readonly string[];
    };
    readonly toolchain: {
        readonly node: string;
        readonly pnpm: {
            readonly version: string;
            readonly integrity: string | null;
        };
        readonly typescript: {
            readonly version: string;
            readonly integrity: string | null;
        };
        readonly packCommand: readonly string[];
        readonly platform: string;
        readonly zlib: string;
    };
    readonly policy: {
        readonly path: string;
        readonly sha256: string;
    };
    readonly packages: readonly {
        readonly name: string;
        readonly version: string;
        readonly tier: number;
        readonly directory: string;
        readonly file: {
            readonly name: string;
            readonly size: number;
            readonly sha256: string;
            readonly sha512: string;
            readonly sha1: string;
            readonly tarSha256: string;
            readonly treeSha256: string;
        };
        readonly identity: {
            readonly gitHead: string;
            readonly manifestSha256: string;
            readonly exportsSha256: string;
        };
        readonly files: readonly {
            readonly path: string;
            readonly size: number;
            readonly mode: "0644" | "0755";
            readonly sha256: string;
        }[];
        readonly dependencies: {
            readonly internal: Readonly<Record<string, string>>;
            readonly external: Readonly<Record<string, string>>;
        };
        readonly changelog: {
            readonly entrySha256: string;
            readonly contentLines: number;
        };
    }[];
    readonly protocol: {
        readonly lines: Readonly<Record<string, string>>;
        readonly released: Readonly<Record<string, string>>;
        readonly schemas: Readonly<Record<string, string>>;
    };
    readonly compatibility: {
        readonly server: string;
        readonly sdk: string;
        readonly upgradeFrom: readonly string[];
    };
    readonly counts: {
        readonly packages: number;
        readonly files: number;
        readonly bytes: number;
    };
}>;
/** The manifest of a release. */
type Manifest = Shaped<typeof manifest>;
/** One package of a manifest. */
type PackageEntry = Shaped<typeof packageEntry>;
/** One file of a package. */
type FileEntry = Shaped<typeof fileEntry>;
/** What packing saw. */
type Packing = Shaped<typeof packing>;

/** Bounds of what is read; the policy has them. */
interface ArchiveLimits {
    readonly packedBytes: number;
    /** Of the whole archive: headers and padding, too. */
    readonly unpackedBytes: number;
    readonly files: number;
}
/** How a tarball is read. */
interface ReadOptions {
    readonly limits: ArchiveLimits;
    /** Whether the content of a file is kept in memory; of none unless given. */
    readonly keep?: (path: string) => boolean;
    /** Who looks at the content of a file as it comes, if anybody. */
    readonly scan?: (path: string) => ((piece: Uint8Array) => void) | undefined;
}
/** A tarball that was read whole. */
interface ReadArchive {
    /** Bytes of the file. */
    readonly size: number;
    readonly sha256: string;
    /** `sha512-…` */
    readonly sha512: string;
    readonly sha1: string;
    /** Of the uncompressed archive. */
    readonly tarSha256: string;
    readonly treeSha256: string;
    /** Sorted by the bytes of their paths, which are without `package/`. */
    readonly files: readonly FileEntry[];
    /** Path → content, of the files that were to be kept. */
    readonly kept: ReadonlyMap<string, Uint8Array>;
}
/**
 * Reads and judges a tarball.
 *
 * @throws Refused archive_malformed, archive_trailing_data, archive_too_large, archive_not_canonical, archive_link_member,
 *   archive_member_unsupported, archive_unsafe_path, archive_multiple_roots, archive_mode_unexpected, archive_duplicate_member
 * @throws Error of the file system when the file cannot be read
 * @source release design §5.1, §5.3
 */
declare function readArchive(file: string, options: ReadOptions): Promise<ReadArchive>;

/** What canonical JSON can say. */
type Json = string | number | boolean | null | readonly Json[] | {
    readonly [key: string]: Json;
};
/** Sorted keys (by UTF-16 units), two spaces, a newline at the end. Numbers are safe integers only. */
declare const canonicalText: (value: Json) => string;

/** The shape of `release.policy.json`; what is not listed is refused. */
declare const policyShape: Shape<{
    readonly schema: "durable-workflow.release/policy/v1";
    readonly repository: string;
    readonly protectedBranch: string;
    readonly packages: Readonly<Record<string, string>>;
    readonly files: {
        readonly required: readonly string[];
        readonly allowed: readonly string[];
    };
    readonly limits: {
        readonly packedBytes: number;
        readonly unpackedBytes: number;
        readonly files: number;
    };
    readonly pack: {
        readonly install: readonly string[];
        readonly command: readonly string[];
        readonly packer: readonly string[];
    };
    readonly distTags: {
        readonly dev: string;
        readonly rc: string;
        readonly stable: string;
        readonly holding: string;
    };
    readonly approval: {
        readonly threshold: number;
        readonly hours: number;
        readonly producers: readonly string[];
        readonly keys: readonly {
            readonly id: string;
            readonly person: string;
            readonly role: string;
            readonly publicKey: string;
        }[];
    };
    readonly acceptance: {
        readonly cells: readonly string[];
        readonly databases: readonly string[];
        readonly probe: string;
        readonly peers: readonly string[];
    };
    readonly attestation: "required" | "none";
    readonly readback: {
        readonly deadlineSeconds: number;
        readonly freshInstall: boolean;
    };
    readonly compatibility: {
        readonly server: string;
        readonly sdk: string;
        readonly upgradeFrom: readonly string[];
    };
    readonly protocol: {
        readonly released: string;
        readonly lines: Readonly<Record<string, string>>;
        readonly schemas: Readonly<Record<string, string>>;
    };
}>;
/** The policy of a repository: `release.policy.json`, canonical JSON. */
type Policy = Shaped<typeof policyShape>;
/** A policy and the digest by which manifests and approvals name it. */
interface ReadPolicy {
    readonly policy: Policy;
    readonly sha256: string;
}
/** @throws Refused record_missing, manifest_not_canonical, record_schema_invalid, record_unknown_field */
declare function readPolicy(file: string): ReadPolicy;

/** What an approver signs: the canonical text of this object, Ed25519. */
declare const approved: Shape<{
    readonly releaseId: string;
    readonly manifestSha256: string;
    readonly reproductionSha256: string;
    readonly acceptanceSha256: string;
    readonly policySha256: string;
    readonly approver: string;
    readonly role: string;
    readonly registry: string;
    readonly distTag: string;
    readonly packages: readonly string[];
    readonly notAfter: string;
}>;
/** The kinds of records that follow a manifest, by the name of their stage. */
declare const recordShapes: {
    readonly reproduction: Shape<{
        readonly details: {
            readonly differences: readonly string[];
            readonly packages: readonly {
                readonly name: string;
                readonly file: boolean;
                readonly tar: boolean;
                readonly tree: boolean;
            }[];
        } | null;
        readonly releaseId: string;
        readonly sequence: number;
        readonly previous: string;
        readonly manifestSha256: string;
        readonly inputs: Readonly<Record<string, string>>;
        readonly tool: {
            readonly version: string;
            readonly sha256: string;
        };
        readonly startedAt: string;
        readonly endedAt: string;
        readonly outcome: "refused" | "passed" | "retry" | "fault";
        readonly reason: string | null;
        readonly facts: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
        readonly schema: "durable-workflow.release/reproduction/v1";
    }>;
    readonly acceptance: Shape<{
        readonly details: {
            readonly peers: Readonly<Record<string, {
                readonly version: string;
                readonly sha256: string | null;
            }>>;
            readonly executed: readonly {
                readonly name: string;
                readonly realPath: string;
                readonly treeSha256Before: string;
                readonly treeSha256After: string;
            }[];
            readonly loadedFromElsewhere: readonly string[];
            readonly worker: readonly {
                readonly database: string;
                readonly pidFirst: number;
                readonly pidLast: number;
                readonly startedFirst: string;
                readonly startedLast: string;
            }[];
            readonly cells: readonly {
                readonly id: string;
                readonly database: string;
                readonly result: "passed" | "failed" | "blocked" | "missing";
                readonly duration: number;
                readonly assertions: number;
                readonly historySha256: string | null;
                readonly trouble: string | null;
            }[];
            readonly probe: {
                readonly id: string;
                readonly sha256: string;
                readonly before: {
                    readonly version: string;
                    readonly treeSha256: string;
                    readonly result: "passed" | "failed";
                };
                readonly after: {
                    readonly version: string;
                    readonly treeSha256: string;
                    readonly result: "passed" | "failed";
                };
            };
            readonly cleanup: {
                readonly processes: readonly string[];
                readonly ports: readonly string[];
                readonly folders: readonly string[];
                readonly rows: readonly string[];
            };
            readonly raw: Readonly<Record<string, string>>;
        } | null;
        readonly releaseId: string;
        readonly sequence: number;
        readonly previous: string;
        readonly manifestSha256: string;
        readonly inputs: Readonly<Record<string, string>>;
        readonly tool: {
            readonly version: string;
            readonly sha256: string;
        };
        readonly startedAt: string;
        readonly endedAt: string;
        readonly outcome: "refused" | "passed" | "retry" | "fault";
        readonly reason: string | null;
        readonly facts: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
        readonly schema: "durable-workflow.release/acceptance/v1";
    }>;
    readonly approval: Shape<{
        readonly details: {
            readonly approved: {
                readonly releaseId: string;
                readonly manifestSha256: string;
                readonly reproductionSha256: string;
                readonly acceptanceSha256: string;
                readonly policySha256: string;
                readonly approver: string;
                readonly role: string;
                readonly registry: string;
                readonly distTag: string;
                readonly packages: readonly string[];
                readonly notAfter: string;
            };
            readonly keyId: string;
            readonly signature: string;
        } | null;
        readonly releaseId: string;
        readonly sequence: number;
        readonly previous: string;
        readonly manifestSha256: string;
        readonly inputs: Readonly<Record<string, string>>;
        readonly tool: {
            readonly version: string;
            readonly sha256: string;
        };
        readonly startedAt: string;
        readonly endedAt: string;
        readonly outcome: "refused" | "passed" | "retry" | "fault";
        readonly reason: string | null;
        readonly facts: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
        readonly schema: "durable-workflow.release/approval/v1";
    }>;
    readonly publication: Shape<{
        readonly details: {
            readonly registry: string;
            readonly distTag: string;
            readonly holdingTag: string;
            readonly dryRun: boolean;
            readonly journal: readonly {
                readonly package: string;
                readonly stateBefore: "other" | "absent" | "same";
                readonly action: "upload" | "skip" | "tag" | "refuse";
                readonly status: number | null;
                readonly stateAfter: "other" | "absent" | "same" | "unknown";
                readonly at: string;
            }[];
        } | null;
        readonly releaseId: string;
        readonly sequence: number;
        readonly previous: string;
        readonly manifestSha256: string;
        readonly inputs: Readonly<Record<string, string>>;
        readonly tool: {
            readonly version: string;
            readonly sha256: string;
        };
        readonly startedAt: string;
        readonly endedAt: string;
        readonly outcome: "refused" | "passed" | "retry" | "fault";
        readonly reason: string | null;
        readonly facts: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
        readonly schema: "durable-workflow.release/publication/v1";
    }>;
    readonly readback: Shape<{
        readonly details: {
            readonly registry: string;
            readonly distTag: string;
            readonly packages: readonly {
                readonly name: string;
                readonly version: string;
                readonly size: number;
                readonly sha256: string;
                readonly sha512: string;
                readonly sha1: string;
                readonly gitHead: string;
                readonly tag: string;
                readonly attestationCommit: string | null;
                readonly attempts: number;
            }[];
            readonly consumerLockfile: Readonly<Record<string, string>> | null;
            readonly observer: string;
        } | null;
        readonly releaseId: string;
        readonly sequence: number;
        readonly previous: string;
        readonly manifestSha256: string;
        readonly inputs: Readonly<Record<string, string>>;
        readonly tool: {
            readonly version: string;
            readonly sha256: string;
        };
        readonly startedAt: string;
        readonly endedAt: string;
        readonly outcome: "refused" | "passed" | "retry" | "fault";
        readonly reason: string | null;
        readonly facts: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
        readonly schema: "durable-workflow.release/readback/v1";
    }>;
};
/** A stage that writes records. */
type RecordKind = keyof typeof recordShapes;
/** A record of a kind. */
type RecordOf<K extends RecordKind> = Shaped<(typeof recordShapes)[K]>;
/** Any record. */
type AnyRecord = {
    [K in RecordKind]: RecordOf<K>;
}[RecordKind];
/** What a record says besides its head. */
type DetailsOf<K extends RecordKind> = NonNullable<RecordOf<K>['details']>;
/** What an approver signs. */
type Approved = Shaped<typeof approved>;

/** A record as it lies in the folder. */
interface StoredRecord<K extends RecordKind = RecordKind> {
    readonly kind: K;
    readonly record: RecordOf<K>;
    /** `0003-approval.json` */
    readonly file: string;
    readonly sha256: string;
}
/** An opened folder; opened again it may have more records. */
interface Evidence {
    readonly folder: string;
    readonly manifest: Manifest;
    readonly manifestSha256: string;
    /** `0.2.0+1a2b3c4d5e6f` */
    readonly releaseId: string;
    /** In their order. */
    readonly records: readonly StoredRecord[];
}
/** @throws Refused record_missing, manifest_not_canonical, record_schema_invalid, record_unknown_field, record_chain_broken, record_release_mismatch */
declare function openEvidence(folder: string): Evidence;

/** Where versions are published to: each has a pointer of its own. */
declare const channel: Shape<"dev" | "rc" | "stable">;
/** Entry of the ledger: a set of versions that was read back. */
declare const tuple: Shape<{
    readonly releaseId: string;
    readonly version: string;
    readonly channel: "dev" | "rc" | "stable";
    readonly registry: string;
    readonly components: Readonly<Record<string, {
        readonly version: string;
        readonly commit: string;
        readonly sha256: string;
        readonly sha512: string;
    }>>;
    readonly protocol: Readonly<Record<string, string>>;
    readonly compatibility: {
        readonly server: string;
        readonly sdk: string;
        readonly upgradeFrom: readonly string[];
    };
    readonly status: "verified";
    readonly evidence: Readonly<Record<string, string>>;
    readonly at: string;
    readonly sequence: number;
    readonly previous: string | null;
    readonly schema: "durable-workflow.release/tuple/v1";
}>;
/** Entry of the ledger: a release must not be used any more. It deletes nothing. */
declare const withdrawal: Shape<{
    readonly tuple: number | null;
    readonly releaseId: string;
    readonly reason: string;
    readonly successor: string;
    readonly at: string;
    readonly sequence: number;
    readonly previous: string | null;
    readonly schema: "durable-workflow.release/withdrawal/v1";
}>;
/** The pointer of a channel (`stable.json`): the last thing that moves. */
declare const pointer: Shape<{
    readonly schema: "durable-workflow.release/pointer/v1";
    readonly channel: "dev" | "rc" | "stable";
    readonly sequence: number;
    readonly tupleSha256: string;
    readonly version: string;
}>;
/** What a consumer keeps beside its lockfiles. */
declare const pins: Shape<{
    readonly schema: "durable-workflow.release/pins/v1";
    readonly sequence: number;
    readonly tupleSha256: string;
    readonly releaseId: string;
    readonly packages: Readonly<Record<string, {
        readonly version: string;
        readonly integrity: string;
    }>>;
}>;
/** A tuple of the ledger. */
type Tuple = Shaped<typeof tuple>;
/** A withdrawal of the ledger. */
type Withdrawal = Shaped<typeof withdrawal>;
/** The pointer of a channel. */
type Pointer = Shaped<typeof pointer>;
/** A channel. */
type Channel = Shaped<typeof channel>;
/** The pins of a consumer. */
type Pins = Shaped<typeof pins>;

interface Stored<K extends string, R> {
    readonly kind: K;
    readonly record: R;
    /** `0002-withdrawal.json` */
    readonly file: string;
    readonly sha256: string;
}
/** A tuple as it lies in the ledger. */
type StoredTuple = Stored<'tuple', Tuple>;
/** A withdrawal as it lies in the ledger. */
type StoredWithdrawal = Stored<'withdrawal', Withdrawal>;
/** An opened ledger; opened again it may have more entries. */
interface Ledger {
    readonly folder: string;
    /** In their order. */
    readonly entries: readonly (StoredTuple | StoredWithdrawal)[];
    readonly tuples: readonly StoredTuple[];
    readonly withdrawals: readonly StoredWithdrawal[];
    readonly pointers: readonly Pointer[];
}
/**
 * Opens a ledger and checks forms, sequence, chain and pointers. An empty folder is a ledger without entries.
 *
 * @throws Refused record_missing where there is no folder, manifest_not_canonical, record_schema_invalid,
 * record_unknown_field, tuple_rollback, tuple_sequence_gap, record_chain_broken, tuple_mixed_set, record_digest_mismatch
 * @source release design §5.4
 */
declare function openLedger(folder: string): Ledger;
/** The id of the release that is in progress; null when there is none. @throws Refused manifest_not_canonical … */
declare function releaseInProgress(folder: string): string | null;
/**
 * Marks a release as the one in progress, between its approval and its tuple (LG3). The same release may go on.
 *
 * @throws Refused release_in_progress while another release is in progress, release_withdrawn for one that was given up, and
 * what openLedger throws
 * @source release design §5.6, 4
 */
declare function beginRelease(folder: string, releaseId: string): void;
/** Takes away the mark of this release; that of another one stays. */
declare function endRelease(folder: string, releaseId: string): void;

/** The file that a consumer keeps beside its lockfiles. */
declare const pinsFile = "release.pins.json";
/**
 * Reads pins. All packages of pins have the version of their release.
 *
 * @throws Refused record_missing, manifest_not_canonical, record_schema_invalid, record_unknown_field, tuple_mixed_set
 */
declare function readPins(file: string): Pins;

/** What a refusal speaks about, by name: `path`, `expected`, `actual`, `limit`. Never a secret. */
type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
/** 10: refused, a repetition ends alike · 20: the same command may succeed later. */
type Kind = 'refused' | 'retryable' | 'info';
interface Entry {
    readonly area: 'source' | 'pack' | 'archive' | 'identity' | 'records' | 'reproduce' | 'accept' | 'approve' | 'publish' | 'read-back' | 'tuple' | 'pins' | 'transport';
    readonly kind: Kind;
    /** What is wrong, without the facts of the case. */
    readonly says: string;
    /** The next safe action. */
    readonly next: string;
}
/** Every refusal code (release design §5.7), in the order of the stages. */
declare const refusals: {
    readonly source_dirty: Entry;
    readonly source_commit_mismatch: Entry;
    readonly source_not_on_protected_branch: Entry;
    readonly lockfile_drift: Entry;
    readonly unconsumed_changesets: Entry;
    readonly changelog_entry_missing: Entry;
    readonly changelog_entry_ambiguous: Entry;
    readonly out_dir_not_empty: Entry;
    readonly packer_version_mismatch: Entry;
    readonly lifecycle_script_present: Entry;
    readonly package_set_incomplete: Entry;
    readonly package_set_extra: Entry;
    readonly private_package: Entry;
    readonly archive_malformed: Entry;
    readonly archive_trailing_data: Entry;
    readonly archive_unsafe_path: Entry;
    readonly archive_link_member: Entry;
    readonly archive_duplicate_member: Entry;
    readonly archive_multiple_roots: Entry;
    readonly archive_mode_unexpected: Entry;
    readonly archive_member_unsupported: Entry;
    readonly archive_not_canonical: Entry;
    readonly archive_too_large: Entry;
    readonly file_extra: Entry;
    readonly file_missing: Entry;
    readonly file_content_mismatch: Entry;
    readonly archive_encoding_drift: Entry;
    readonly archive_sha256_mismatch: Entry;
    readonly file_name_identity_mismatch: Entry;
    readonly name_mismatch: Entry;
    readonly version_mismatch: Entry;
    readonly git_head_missing: Entry;
    readonly git_head_mismatch: Entry;
    readonly workspace_range_unresolved: Entry;
    readonly internal_range_not_exact: Entry;
    readonly internal_version_skew: Entry;
    readonly internal_dependency_cycle: Entry;
    readonly publish_config_registry_forbidden: Entry;
    readonly install_script_forbidden: Entry;
    readonly absolute_path_leak: Entry;
    readonly protocol_digest_mismatch: Entry;
    readonly record_schema_invalid: Entry;
    readonly record_unknown_field: Entry;
    readonly record_digest_mismatch: Entry;
    readonly record_chain_broken: Entry;
    readonly record_missing: Entry;
    readonly manifest_not_canonical: Entry;
    readonly record_release_mismatch: Entry;
    readonly evidence_extra: Entry;
    readonly stage_out_of_order: Entry;
    readonly stage_already_final: Entry;
    readonly repack_mismatch: Entry;
    readonly build_not_reproducible: Entry;
    readonly acceptance_failed: Entry;
    readonly acceptance_cell_missing: Entry;
    readonly acceptance_cell_blocked: Entry;
    readonly acceptance_stale: Entry;
    readonly executed_identity_mismatch: Entry;
    readonly path_dependency_detected: Entry;
    readonly worker_restarted: Entry;
    readonly installed_bytes_changed: Entry;
    readonly cleanup_incomplete: Entry;
    readonly peer_not_pinned: Entry;
    readonly probe_proves_nothing: Entry;
    readonly approval_missing: Entry;
    readonly approval_self: Entry;
    readonly approval_signature_invalid: Entry;
    readonly approval_key_unknown: Entry;
    readonly approval_threshold_unmet: Entry;
    readonly approval_expired: Entry;
    readonly approval_scope_mismatch: Entry;
    readonly policy_changed_since_approval: Entry;
    readonly registry_not_explicit: Entry;
    readonly registry_mismatch: Entry;
    readonly version_conflict: Entry;
    readonly already_published_identical: Entry;
    readonly publish_rejected: Entry;
    readonly release_in_progress: Entry;
    readonly tier_predecessor_unverified: Entry;
    readonly directory_publish_forbidden: Entry;
    readonly tag_policy_violation: Entry;
    readonly readback_absent: Entry;
    readonly readback_metadata_mismatch: Entry;
    readonly readback_bytes_mismatch: Entry;
    readonly readback_manifest_confusion: Entry;
    readonly readback_git_head_mismatch: Entry;
    readonly readback_tag_mismatch: Entry;
    readonly readback_tarball_origin_mismatch: Entry;
    readonly readback_deprecated: Entry;
    readonly readback_answer_unreadable: Entry;
    readonly readback_inconsistent: Entry;
    readonly latest_tag_unintended: Entry;
    readonly attestation_missing: Entry;
    readonly attestation_subject_mismatch: Entry;
    readonly attestation_commit_mismatch: Entry;
    readonly tuple_not_verified: Entry;
    readonly tuple_rollback: Entry;
    readonly tuple_sequence_gap: Entry;
    readonly tuple_mixed_set: Entry;
    readonly pin_range_not_exact: Entry;
    readonly pin_integrity_mismatch: Entry;
    readonly pin_missing: Entry;
    readonly pin_unqualified_version: Entry;
    readonly pin_lockfile_unreadable: Entry;
    readonly release_withdrawn: Entry;
    readonly registry_unreachable: Entry;
    readonly registry_rate_limited: Entry;
    readonly registry_server_error: Entry;
};
/** A stable name of why a stage did not pass; `rel explain CODE` tells more. */
type RefusalCode = keyof typeof refusals;
/** Whether a text is a refusal code. */
declare const isRefusalCode: (text: string) => text is RefusalCode;
/** A stage does not go on. `exit` is 10, or 20 where the same command may succeed later. */
declare class Refused extends Error {
    readonly code: RefusalCode;
    readonly facts: Facts;
    constructor(code: RefusalCode, facts: Facts);
    /** The same refusal with further facts, in front: for those who know of what the guard did not. */
    about(facts: Facts): Refused;
    get exit(): 10 | 20;
    get next(): string;
}

/** Ed25519 over the canonical text, in base64. `privateKey` is PEM (PKCS 8). */
declare const signed: (content: Json, privateKey: string) => string;
/** Whether the signature is of this content and key. `publicKey` is SPKI in base64. */
declare const isSigned: (content: Json, signature: string, publicKey: string) => boolean;
/** The public half of a PEM key, as the policy has it. */
declare const publicKeyOf: (privateKey: string) => string;

/** One entry of a lockfile. */
interface LockedEntry {
    /** Where it stands, as the file has it: `node_modules/@x/sdk`. */
    readonly at: string;
    /** What it is installed as, what it says it is, and what its URL says: all that it may stand for. */
    readonly names: readonly string[];
    /** Exact version; null where the lockfile has none (a link). */
    readonly version: string | null;
    /** As the lockfile has it: `sha512-…`; for Yarn 2 and later its checksum. */
    readonly integrity: string | null;
    /** Where its bytes come from, for people. */
    readonly source: string;
    /** What changes its bytes after they are checked: a patch. */
    readonly altered: string | null;
}
/** A range that was asked for, by a manifest or by an override. */
interface Asked {
    readonly at: string;
    /** What it is installed as. */
    readonly name: string;
    readonly range: string;
}
interface Lockfile {
    readonly kind: 'npm' | 'pnpm' | 'yarn classic' | 'yarn berry';
    /** The version of its form. */
    readonly version: string;
    readonly entries: readonly LockedEntry[];
    readonly asked: readonly Asked[];
    /** Folders whose manifests it covers, relative to it, `.` for its own; null where it does not tell. */
    readonly members: ReadonlySet<string> | null;
    /** `tarball`: sha512 of what the registry serves. `own`: of an archive that the package manager made of it. */
    readonly digests: 'tarball' | 'own';
}

/** A lockfile that was checked. */
interface CheckedLockfile {
    /** Path relative to the folder. */
    readonly file: string;
    readonly kind: Lockfile['kind'];
    /** The version of its form: `3`, `9.0`. */
    readonly version: string;
    /** Entries of pinned packages. */
    readonly entries: number;
    /** `bytes`: each entry has the integrity of the pins · `versions`: this form has no digest of the tarball. */
    readonly compared: 'bytes' | 'versions';
}
/** What was looked at and what was found. */
interface PinsReport {
    readonly lockfiles: readonly CheckedLockfile[];
    /** Every `package.json`, by its path relative to the folder. */
    readonly manifests: readonly string[];
    /** Folders that were not looked into: `node_modules`, `.git`, links. */
    readonly skipped: readonly string[];
    /** Empty when all is as the pins say. The first one is what `rel verify-pins` exits with. */
    readonly problems: readonly Refused[];
}
/** By what a folder is judged. */
interface PinsRules {
    readonly pins: Pins;
    /** Tells versions of other tuples and of none apart, and whether the pins were withdrawn; without it no other version is known. */
    readonly ledger?: Ledger;
    /** Lets lockfiles of Yarn 2 and later pass by their versions alone; default false. */
    readonly allowChecksum?: boolean;
}
/**
 * Checks every lockfile and every manifest below a folder against pins. It reads files only.
 *
 * Lockfiles: npm (2, 3), pnpm (6, 9), Yarn 1, Yarn 2 and later. Any other kind is a problem. An entry counts by what it is
 * installed as, by what it says it is and by its URL, so that neither an alias nor a nested copy is missed.
 *
 * @returns all problems, in the order of the files: pin_lockfile_unreadable, pin_range_not_exact, pin_missing,
 * pin_integrity_mismatch, pin_unqualified_version, tuple_mixed_set, release_withdrawn, record_missing, record_digest_mismatch
 * @throws Error when the folder cannot be read
 * @source release design §5.5; P-81
 */
declare function verifyPins(folder: string, { pins, ledger, allowChecksum }: PinsRules): PinsReport;

export { Refused, beginRelease, canonicalText, endRelease, isRefusalCode, isSigned, openEvidence, openLedger, pins, pinsFile, pointer, policyShape, publicKeyOf, readArchive, readPins, readPolicy, refusals, releaseInProgress, signed, tuple, verifyPins, withdrawal };
export type { AnyRecord, Approved, ArchiveLimits, Channel, CheckedLockfile, DetailsOf, Evidence, Facts, FileEntry, Json, Ledger, Manifest, PackageEntry, Packing, Pins, PinsReport, PinsRules, Pointer, Policy, ReadArchive, ReadOptions, ReadPolicy, RecordKind, RecordOf, RefusalCode, Shape, Shaped, StoredRecord, StoredTuple, StoredWithdrawal, Tuple, Withdrawal };
