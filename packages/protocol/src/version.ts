// The version rule of the worker plane, in one place: what a header must be, and what counts as new enough.

/** The control plane has one version. */
export const controlPlaneVersion = '2'

/** The worker lines that a server may advertise. */
export const workerProtocolVersions = ['1.19', '1.20'] as const

/** A worker line that a server may advertise. */
export type ProtocolVersion = (typeof workerProtocolVersions)[number]

/** What a server advertises unless its operator says otherwise. */
export const defaultWorkerProtocolVersion: ProtocolVersion = '1.19'

/** A version as two numbers. */
export interface VersionNumbers {
  major: number
  minor: number
}

/** Reads "major.minor", two decimal integers. Anything else is no version. */
export function parseVersion(text: string): VersionNumbers | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(text)
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined
}

/**
 * Whether a version is at least `floor`: same major, minor not below.
 *
 * @source C-02
 */
export function meets(version: string, floor: string): boolean {
  const has = parseVersion(version)
  const needs = parseVersion(floor)
  return has !== undefined && needs !== undefined && has.major === needs.major && has.minor >= needs.minor
}

/** Whether a request may speak on the worker plane; if not, why, and what the refusal says. */
export type Admission =
  | { admitted: true; version: string }
  | {
      admitted: false
      reason: 'missing_protocol_version' | 'unsupported_protocol_version'
      facts: { supported_version: string; requested_version: string | null; remediation: string }
    }

function remediationOf(advertised: string): string {
  const next = `Send X-Durable-Workflow-Protocol-Version: ${advertised} or an older line of the same major.`
  if (meets(advertised, '1.20')) return next
  return (
    `${next} The Python SDK steps down with the environment variable DURABLE_WORKFLOW_WORKER_PROTOCOL_VERSION=${advertised}, ` +
    'the Rust SDK with worker_protocol_version(V119); or start the server with DW_WORKER_PROTOCOL_VERSION=1.20.'
  )
}

/**
 * Decides whether a request may speak on the worker plane: its header must be a version of the advertised major and
 * not ahead of the advertised minor. Older lines from 1.0 on are admitted.
 *
 * @param header     the header as it came; undefined or blank counts as missing
 * @param advertised the line of this server
 * @source worker plane 1.3
 */
export function admitHeader(header: string | undefined, advertised: string): Admission {
  const text = header?.trim() ?? ''
  const refuse = (reason: 'missing_protocol_version' | 'unsupported_protocol_version'): Admission => ({
    admitted: false,
    reason,
    facts: {
      supported_version: advertised,
      requested_version: reason === 'missing_protocol_version' ? null : text,
      remediation: remediationOf(advertised),
    },
  })
  if (text === '') return refuse('missing_protocol_version')
  return meets(advertised, text) ? { admitted: true, version: text } : refuse('unsupported_protocol_version')
}
