import { text } from '../shape.ts'

/** Hex sha256. */
export const sha256Hex = text(/^[0-9a-f]{64}$/, 'a sha256 in hex')
/** `sha512-…`, as lockfiles and registries write it. */
export const integrity = text(/^sha512-[A-Za-z0-9+/]{86}==$/, 'sha512- and base64')
export const sha1Hex = text(/^[0-9a-f]{40}$/, 'a sha1 in hex')
/** A whole git object id. */
export const commitId = text(/^[0-9a-f]{40}$/, 'a full commit id of 40 hex digits')
/** An exact version: no range, no prefix. */
export const exactVersion = text(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'an exact version')
/** RFC 3339, UTC, milliseconds. */
export const instant = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'an instant like 2026-11-30T12:00:00.000Z')
export const packageName = text(/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/, 'a package name')
/** `0.2.0+1a2b3c4d5e6f`: the version of the set and the first 12 digits of the manifest's sha256. */
export const releaseId = text(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\+[0-9a-f]{12}$/, 'a release id')
