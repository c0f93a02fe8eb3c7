// Code that no recording was made with.
import { activity, workflow } from '../../src/index.ts'

const other = activity('an activity that nobody recorded')

/** Runs an activity of another name. */
export const runsAnother = (name: string) => workflow(name, {}, async (ctx) => ctx.run(other))

/** Ends at once. */
export const endsAtOnce = (name: string) => workflow(name, {}, async () => 'nothing to do')
