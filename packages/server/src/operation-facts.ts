import { type OperationId, operations } from '@durable-workflow/protocol'

/** What the documents say about an operation, in one shape for all of them. */
export interface OperationFacts {
  readonly id: OperationId
  readonly method: string
  readonly path: string
  readonly route: string
  readonly plane: 'worker' | 'control' | 'system'
  /** None: the operation is public. */
  readonly roles: readonly string[]
  readonly stage: 'built' | 'planned'
  readonly controlPlane: ControlPlaneFacts | undefined
}

/** What an answer under /api/workflows says about itself. */
export interface ControlPlaneFacts {
  readonly operation: string
  readonly required_fields: readonly string[]
  readonly success_fields: readonly string[]
  readonly operation_name_field?: string
}

interface Row extends Omit<OperationFacts, 'id' | 'controlPlane'> {
  readonly controlPlane?: ControlPlaneFacts
}

const table: Readonly<Record<OperationId, Row>> = operations

function factsOf(id: OperationId): OperationFacts {
  const row = table[id]
  return { ...row, id, controlPlane: row.controlPlane ?? plannedControlPlane(id, row) }
}

// A planned operation under /api/workflows has no contract of its own yet; the dw command still wants to read which one it was.
function plannedControlPlane(id: OperationId, row: Row): ControlPlaneFacts | undefined {
  if (row.stage === 'built' || !row.path.startsWith('/api/workflows')) return undefined
  const operation = snakeCase(id.replace(/(Workflow|Run)$/, ''))
  return { operation, required_fields: [], success_fields: [] }
}

/** `pollWorkflowTask` → `poll_workflow_task`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const isOperationId = (id: string): id is OperationId => Object.hasOwn(table, id)

/** Every operation that a source names, in the order of the documents. */
export const allOperations: readonly OperationFacts[] = Object.keys(table).filter(isOperationId).map(factsOf)

const byId: ReadonlyMap<OperationId, OperationFacts> = new Map(allOperations.map((facts) => [facts.id, facts]))

export function operationFacts(id: OperationId): OperationFacts {
  return byId.get(id) ?? factsOf(id)
}

const patterns = allOperations.map((facts) => ({
  facts,
  pattern: new RegExp(`^${facts.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}))

/** Operations at this path, whatever their method: what a wrong method may be told. */
export function operationsAt(path: string): readonly OperationFacts[] {
  return patterns.filter(({ pattern }) => pattern.test(path)).map(({ facts }) => facts)
}
