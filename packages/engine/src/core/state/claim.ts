/** What was true of the claimer when it claimed; later registrations neither upgrade nor downgrade it (design.md §2.4). */
export interface ClaimProof {
  readonly workerId: string
  /** The registration's own id: another process under the same worker id has another one. */
  readonly registrationId: string
  /** The protocol version of the poll's header, like `1.19`. */
  readonly protocolVersion: string
  readonly capabilities: readonly string[]
  readonly buildId: string | undefined
  readonly pollRequestId: string | undefined
}

/** The bounded ownership that a claim gives. Valid while `expiresAt > now`; equality is expired (L-09). */
export interface Lease {
  readonly owner: string
  /** Epoch ms. */
  readonly leasedAt: number
  readonly expiresAt: number
  /** What a renewal adds: the length with which it was given. */
  readonly leaseMs: number
  readonly proof: ClaimProof
}

export function isLive(lease: Lease, now: number): boolean {
  return lease.expiresAt > now
}

/** The same lease, from now for its full length. */
export function renewed(lease: Lease, now: number): Lease {
  return { ...lease, expiresAt: now + lease.leaseMs }
}
