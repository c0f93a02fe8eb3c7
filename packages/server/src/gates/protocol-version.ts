// Which version he speaks: the worker line up to the advertised one, or control plane 2 (worker plane §1.3).
import { admitHeader, controlPlaneVersion, protocolHeaders } from '@durable-workflow/protocol'
import type { FastifyRequest } from 'fastify'
import { type No, no } from '../reply.ts'
import type { Gate, GateSettings, Passed } from './gate.ts'

export function protocolVersionGate({ advertised }: GateSettings): Gate {
  return (request, passed) => {
    switch (passed.operation.plane) {
      case 'worker':
        return workerVersion(request, passed, advertised)
      case 'control':
        return controlVersion(request)
      default:
        return undefined
    }
  }
}

function workerVersion(
  request: FastifyRequest,
  passed: Passed,
  advertised: GateSettings['advertised'],
): No | undefined {
  const admission = admitHeader(headerOf(request, protocolHeaders.workerProtocolVersion), advertised)
  if (!admission.admitted) return no(admission.reason, admission.facts)
  passed.version = admission.version
  return undefined
}

function controlVersion(request: FastifyRequest): No | undefined {
  const given = headerOf(request, protocolHeaders.controlPlaneVersion)?.trim()
  if (given === controlPlaneVersion) return undefined
  const missing = given === undefined || given === ''
  return no(missing ? 'missing_control_plane_version' : 'unsupported_control_plane_version', {
    supported_version: controlPlaneVersion,
    requested_version: missing ? null : given,
    remediation: `Send X-Durable-Workflow-Control-Plane-Version: ${controlPlaneVersion}.`,
  })
}

/** A header as text; of one that came several times, the first. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
