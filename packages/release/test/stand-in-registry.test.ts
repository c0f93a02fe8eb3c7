// The stand-in registry itself: it stores as a registry does, counts, and lies only where it was told to.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fault, leaving, packument, redirect, status, statusAfterwards, unheard } from './kit/stand-in-faults.ts'
import { type StandIn, startStandIn } from './kit/stand-in-registry.ts'
import { distOf, fieldsOf, publishBody } from './kit/stand-in-store.ts'

const tarball = Buffer.from('the bytes of a tarball')
let registry: StandIn
let version = 0

beforeAll(async () => {
  registry = await startStandIn({ token: 'secret', firstGetsLatest: true })
})
afterAll(() => registry.stop())
beforeEach(() => {
  registry.faults()
  version++
})

const put = (content = tarball, token = 'secret', name = '@x/spec') =>
  fetch(`${registry.url}${name.replace('/', '%2f')}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(publishBody({ name, version: `1.0.${version}` }, content, 'candidate')),
  })
const read = async (name = '@x/spec') => fieldsOf(await (await fetch(`${registry.url}${name}`)).json())

test('what was put is served: packument, digests, tag, bytes', async () => {
  expect((await put()).status).toBe(201)
  const body = await read()
  const dist = fieldsOf(fieldsOf(fieldsOf(body.versions)[`1.0.${version}`]).dist)
  expect(dist).toMatchObject(distOf(tarball))
  expect(body['dist-tags']).toMatchObject({ candidate: `1.0.${version}` })
  expect(Buffer.from(await (await fetch(`${dist.tarball}`)).arrayBuffer())).toEqual(tarball)
})

test('a version is never replaced, and only an upload that was stored counts', async () => {
  const before = registry.uploads()
  expect([(await put()).status, (await put(Buffer.from('other'))).status]).toEqual([201, 409])
  expect((await put(tarball, 'wrong')).status).toBe(401)
  expect(registry.uploads()).toBe(before + 1)
})

test('the first version of a package gets latest where registries do so', async () => {
  await put(tarball, 'secret', '@x/first')
  expect((await read('@x/first'))['dist-tags']).toEqual({ latest: `1.0.${version}`, candidate: `1.0.${version}` })
})

test('the snapshot tells every state apart', async () => {
  await put()
  const states = [registry.snapshot()]
  registry.tag('@x/spec', 'latest', `1.0.${version}`)
  states.push(registry.snapshot())
  registry.forge('@x/spec', `1.0.${version}`, Buffer.from('forged'))
  states.push(registry.snapshot())
  registry.unpublish('@x/spec', `1.0.${version}`)
  states.push(registry.snapshot())
  expect(new Set(states).size).toBe(4)
})

test('a fault hits the requests that it names, then no more', async () => {
  await put()
  registry.faults(status({ on: 'packument', after: 1, times: 2 }, 503))
  const seen: number[] = []
  for (let i = 0; i < 5; i++) seen.push((await fetch(`${registry.url}@x/spec`)).status)
  expect(seen).toEqual([200, 503, 503, 200, 200])
})

test.each<[string, Fault, boolean, number]>([
  ['an error that was stored all the same', statusAfterwards({ on: 'publish' }, 503), true, 503],
  ['an error before anything was stored', status({ on: 'publish' }, 503), false, 503],
  ['a connection that breaks after storing', leaving({ on: 'publish' }, 'drop'), true, 0],
  ['a connection that breaks before it', unheard({ on: 'publish' }), false, 0],
])('%s', async (_, fault, isStored, code) => {
  const before = registry.uploads()
  registry.faults(fault)
  const answered = await put().then(
    (response) => response.status,
    () => 0,
  )
  expect({ answered, stored: registry.uploads() - before }).toEqual({ answered: code, stored: isStored ? 1 : 0 })
})

test('a packument can be told otherwise than it is held, and a request sent elsewhere', async () => {
  await put()
  const before = registry.snapshot()
  registry.faults(packument({}, (body) => ({ ...body, name: 'another' })))
  expect(await read()).toMatchObject({ name: 'another' })
  registry.faults(redirect({ on: 'packument' }, 'http://127.0.0.1:1/'))
  expect((await fetch(`${registry.url}@x/spec`, { redirect: 'manual' })).headers.get('location')).toBe(
    'http://127.0.0.1:1/',
  )
  expect(registry.snapshot()).toBe(before)
})
