import { defineOperation } from '../../decision/operation.ts'
import { accept } from '../../decision/outcome.ts'
import { answerQuery, type QueryReporter } from '../../rules/query-fence.ts'
import { lockOf } from '../../state/ids.ts'
import type { Json } from '../../state/json.ts'
import type { Envelope } from '../../state/payload.ts'

export interface CompleteQueryTask extends QueryReporter {
  /** The worker's plain projection of the value. */
  readonly result: Json | undefined
  readonly envelope: Envelope | undefined
}

/** Answers a query with a value. @source completeQueryTask */
export const completeQueryTask = defineOperation({
  kind: 'completeQueryTask',
  locks: (input: CompleteQueryTask) => [lockOf(input.queryTaskId)],
  slice: (input) => [{ of: 'queryTask', queryTaskId: input.queryTaskId }],
  decide(draft, input, now) {
    const answered = answerQuery(
      draft,
      input,
      { kind: 'completed', result: input.result, envelope: input.envelope },
      now,
    )
    return 'kind' in answered ? answered : accept({ queryTask: answered })
  },
})
