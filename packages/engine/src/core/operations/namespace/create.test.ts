import { at, check } from '../../../../test/support/check.ts'
import { given } from '../../../../test/support/world.ts'
import { createNamespace } from './create.ts'

const create = (name: string) => createNamespace({ name, description: 'd', retentionDays: 7 })

check([
  {
    name: 'a new one',
    given: given(),
    operation: create('shop'),
    accepted: { namespace: { name: 'shop' } },
    rows: { namespaces: [{ name: 'shop', description: 'd', retentionDays: 7, createdAt: at }] },
  },
  {
    name: 'one that is there',
    given: given(),
    operation: create('default'),
    refused: 'namespace_already_exists',
    facts: { namespace: 'default' },
  },
])
