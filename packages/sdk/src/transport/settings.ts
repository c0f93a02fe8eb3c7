import { limits } from '@durable-workflow/protocol'
import { ContractError } from '../authoring/failure.ts'

/** Where a client or worker connects. Arguments first, then the environment, then defaults. */
export interface ConnectionSettings {
  /** URL of the server; else DURABLE_WORKFLOW_SERVER_URL; default `http://127.0.0.1:7400`. */
  readonly server?: string | undefined
  /** Else DURABLE_WORKFLOW_NAMESPACE; default `default`. */
  readonly namespace?: string | undefined
  /** Bearer token; else DURABLE_WORKFLOW_AUTH_TOKEN; default none. */
  readonly token?: string | undefined
}

export interface ResolvedSettings {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path before `/api`, without a slash at its end; usually empty. */
  readonly basePath: string
  readonly namespace: string
  readonly token: string | undefined
}

const serverDefault = 'http://127.0.0.1:7400'

/** @throws ContractError `invalid_server_url`, `invalid_namespace`, `invalid_token` */
export function resolveSettings(
  settings: ConnectionSettings,
  environment: Readonly<Record<string, string | undefined>>,
): ResolvedSettings {
  const server = settings.server ?? given(environment.DURABLE_WORKFLOW_SERVER_URL) ?? serverDefault
  const url = URL.canParse(server) ? new URL(server) : undefined
  const isUsable =
    url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === ''
  if (!isUsable) {
    const remedy = 'Write for example http://127.0.0.1:7400, in the option server or in DURABLE_WORKFLOW_SERVER_URL.'
    throw new ContractError(
      `Server URL ${JSON.stringify(server)} is not an http or https URL without a query. ${remedy}`,
      {
        reason: 'invalid_server_url',
        facts: { server },
        remedy,
      },
    )
  }
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    namespace: checkedNamespace(settings.namespace ?? given(environment.DURABLE_WORKFLOW_NAMESPACE) ?? 'default'),
    token: checkedToken(settings.token ?? given(environment.DURABLE_WORKFLOW_AUTH_TOKEN)),
  }
}

function checkedNamespace(namespace: string): string {
  const max = limits.namespaceNameLengthMax
  if (/^[a-zA-Z0-9._-]+$/.test(namespace) && namespace.length <= max) return namespace
  const remedy = 'Write a name that exists on the server, in the option namespace or in DURABLE_WORKFLOW_NAMESPACE.'
  throw new ContractError(
    `Namespace ${JSON.stringify(namespace)} is no name of 1 to ${max} of a-z A-Z 0-9 . _ -. ${remedy}`,
    { reason: 'invalid_namespace', facts: { namespace, max }, remedy },
  )
}

function checkedToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token
  const remedy = 'Write the token as the server has it, in the option token or in DURABLE_WORKFLOW_AUTH_TOKEN.'
  // The token itself is written nowhere, not even a wrong one.
  throw new ContractError(
    `The token of ${token.length} characters holds what no header carries; it must be visible ASCII without spaces. ${remedy}`,
    { reason: 'invalid_token', remedy },
  )
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}
