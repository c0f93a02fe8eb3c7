import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { argumentsFromInput, inputFromArguments, validateInput, validateOutput } from '../../src/authoring/contract.ts'
import { activity, query, signal, type, workflow } from '../../src/index.ts'

const order = activity('order', {
  input: z.object({ cents: z.int(), note: z.string().default('none') }),
  output: z.string(),
})

describe('contracts', () => {
  it('validate with any Standard Schema and hand on its output', async () => {
    expect(await validateInput(order, { cents: 7 })).toEqual({ cents: 7, note: 'none' })
    expect(await validateOutput(order, 'ok')).toBe('ok')
  })

  it('name what does not fit, where, and on which side', async () => {
    await expect(validateInput(order, { cents: 'x' })).rejects.toMatchObject({
      name: 'ContractError',
      reason: 'invalid_input',
      facts: { kind: 'activity', name: 'order', issues: [{ path: 'cents' }] },
      message: expect.stringContaining('The input of activity "order" does not fit its contract: cents:'),
    })
    await expect(validateOutput(order, 7)).rejects.toMatchObject({ reason: 'invalid_output' })
  })

  it('type() declares and lets everything through; nothing declared is nothing passed in', async () => {
    expect(await validateInput(activity('typed', { input: type<number>() }), 'anything')).toBe('anything')
    expect(await validateInput(activity('bare'), 'anything')).toBeUndefined()
    expect(await validateOutput(activity('bare'), 'anything')).toBe('anything')
  })

  it('one input is one argument; the args form spreads and checks each', async () => {
    const resize = activity('resize', { args: [z.string(), z.int()] })
    expect(argumentsFromInput(order, { cents: 7 })).toEqual([{ cents: 7 }])
    expect(argumentsFromInput(order, ['a', 'b'])).toEqual([['a', 'b']])
    expect(argumentsFromInput(activity('bare'), 'dropped')).toEqual([])
    expect(argumentsFromInput(resize, ['a', 200])).toEqual(['a', 200])
    expect(inputFromArguments(resize, ['a', 200])).toEqual(['a', 200])
    expect(inputFromArguments(order, [{ cents: 7 }, 'more'])).toEqual({ cents: 7 })
    expect(await validateInput(resize, ['a', 200])).toEqual(['a', 200])
    await expect(validateInput(resize, ['a', 'b'])).rejects.toMatchObject({ facts: { issues: [{ path: '1' }] } })
  })

  it('refuse names that the wire cannot carry', () => {
    expect(() => activity('')).toThrow(expect.objectContaining({ reason: 'invalid_name' }))
    expect(() => signal('x'.repeat(192))).toThrow(expect.objectContaining({ reason: 'invalid_name' }))
    expect(() => query('')).toThrow(expect.objectContaining({ reason: 'invalid_name' }))
  })

  it('an implementation carries its function, its text and its file', () => {
    const contract = workflow('checkout', { input: z.string() })
    expect('fn' in contract).toBe(false)
    const made = contract.implement(async (_ctx, text) => text.length)
    expect(made).toMatchObject({
      kind: 'workflow',
      name: 'checkout',
      source: { text: 'async (_ctx, text) => text.length' },
    })
    expect(made.source.file).toMatch(/contract\.test\.ts$/)
    const short = workflow('short', {}, async () => 'x')
    expect(short.source.file).toMatch(/contract\.test\.ts$/)
  })
})
