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

/** @throws ContractError `invalid_server_url` */
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
    namespace: settings.namespace ?? given(environment.DURABLE_WORKFLOW_NAMESPACE) ?? 'default',
    token: settings.token ?? given(environment.DURABLE_WORKFLOW_AUTH_TOKEN),
  }
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}
