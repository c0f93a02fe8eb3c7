// The published examples of requests and replies, as both published clients send them: the SDK with envelopes, the command
// line tool with plain JSON.
import { readdirSync } from 'node:fs'
import { encodeEnvelope } from '@durable-workflow/codec'
import { z } from 'zod'
import { haveVectors, readVector, vectorAt } from './vector-manifest.ts'

const Fields = z.record(z.string(), z.unknown())
const Sent = z.looseObject({ expected_body: Fields.optional(), expected_query: Fields.optional() })
const Fixture = z.looseObject({
  schema: z.literal('durable-workflow.polyglot.control-plane-request-fixture'),
  operation: z.string(),
  request: z.object({ method: z.string(), path: z.string(), query: Fields.optional(), body: Fields.optional() }),
  response_body: Fields.optional(),
  cli: Sent.optional(),
  sdk_python: Sent.extend({
    payload_envelope: z.object({ field: z.string(), decoded: z.unknown() }).optional(),
  }).optional(),
})

/** One published example. */
export interface ControlPlaneFixture {
  /** The key in the manifest. */
  readonly file: string
  /** `workflow-start`, for example. */
  readonly name: string
  readonly method: string
  /** With /api. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The bodies in which clients send it; one that is undefined where it has none. */
  readonly bodies: readonly (Readonly<Record<string, unknown>> | undefined)[]
  readonly reply: Readonly<Record<string, unknown>> | undefined
}

/** All of them; none where the vectors are missing. */
export function controlPlaneFixtures(): ControlPlaneFixture[] {
  if (!haveVectors) return []
  return readdirSync(vectorAt('control-plane/'))
    .sort()
    .map((name) => {
      const file = `control-plane/${name}`
      const { request, response_body: reply, cli, sdk_python: sdk } = Fixture.parse(readVector(file))
      const query = Object.entries(request.query ?? cli?.expected_query ?? {})
      return {
        file,
        name: name.replace('-parity.json', ''),
        method: request.method,
        path: `/api${request.path}`,
        query: Object.fromEntries(query.map(([key, value]) => [key, String(value)])),
        bodies: bodiesOf(request.body, sdk, cli?.expected_body),
        reply,
      }
    })
}

function bodiesOf(
  said: Record<string, unknown> | undefined,
  sdk: z.infer<typeof Fixture>['sdk_python'],
  plain: Record<string, unknown> | undefined,
): ControlPlaneFixture['bodies'] {
  const envelope = sdk?.payload_envelope
  const payload = envelope === undefined ? {} : { [envelope.field]: encodeEnvelope(envelope.decoded) }
  const encoded = sdk?.expected_body === undefined ? undefined : { ...sdk.expected_body, ...payload }
  const bodies = [said, encoded, plain].filter((body) => body !== undefined)
  return bodies.length === 0 ? [undefined] : bodies
}
