import { defineOperation } from '../../decision/operation.ts'
import { accept } from '../../decision/outcome.ts'
import { answerQuery, type QueryReporter } from '../../rules/query-fence.ts'
import { lockOf } from '../../state/ids.ts'
import type { Json } from '../../state/json.ts'

export interface FailQueryTask extends QueryReporter {
  readonly failure: {
    readonly message: string
    readonly reason: string | undefined
    readonly type: string | undefined
    readonly validationErrors: Json | undefined
  }
}

/** Answers a query with a failure; without a reason it is `query_rejected`. @source failQueryTask */
export const failQueryTask = defineOperation({
  kind: 'failQueryTask',
  locks: (input: FailQueryTask) => [lockOf(input.queryTaskId)],
  slice: (input) => [{ of: 'queryTask', queryTaskId: input.queryTaskId }],
  decide(draft, input, now) {
    const { message, reason, type, validationErrors } = input.failure
    const outcome = { kind: 'failed' as const, reason: reason ?? 'query_rejected', message, type, validationErrors }
    const answered = answerQuery(draft, input, outcome, now)
    return 'kind' in answered ? answered : accept({ queryTask: answered })
  },
})
