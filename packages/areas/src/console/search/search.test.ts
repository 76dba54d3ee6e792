import { expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { newUuid, prefixOf, toId } from '#platform/ids.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { TestProject } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { FoundThing } from './schema.ts'
import { THINGS } from './things.ts'

let one: TestProject
let find: (q: string) => Promise<FoundThing[]>

withProjects(async (api, first) => {
  one = first
  const viewer = await makeOperator(api)
  await setRole(api, one.live.projectId, viewer.id, 'viewer')
  find = async (q) => {
    const path = `/projects/${one.project.id}/search?q=${encodeURIComponent(q)}`
    const { status, body } = await viewer.call<{ data: FoundThing[] }>('GET', path)
    expect([q, status]).toEqual([q, 200])
    return body.data
  }
})

/** Ids that lead to no screen of a side, each with its reason. */
const NOWHERE: Readonly<Record<string, string>> = {
  ask: 'a question to a hook, which is over in seconds',
  hit: 'an event of analytics, which is counted and not shown',
  pexp: 'of the installation: the console leads to it by its prefix',
  pimp: 'of the installation: the console leads to it by its prefix',
  pmov: 'of the installation: the console leads to it by its prefix',
  prev: 'the price of a change, which ends in minutes',
}

test('an id of every prefix that areas declare is looked for', () => {
  const declared = areas.flatMap(({ ids = {} }) => Object.values(ids).map(({ prefix }) => prefix))
  const known = new Set(THINGS.map(({ is }) => prefixOf(is)))
  expect(declared.length).toBeGreaterThan(50)
  expect(declared.filter((prefix) => !known.has(prefix)).toSorted()).toEqual(Object.keys(NOWHERE))
})

test.each([...new Map(THINGS.map(({ is }) => [prefixOf(is), is]))])(
  'an id %s_… that nothing has finds nothing',
  async (_, is) => {
    expect(await find(toId(is, newUuid()))).toEqual([])
  },
)

test('a payment, a line and a refund lead to their order, and what a member has to the member', async () => {
  const side = one.live
  const { client, id: member } = await makeCustomer(side)
  const { id: product } = await makeProduct(side, { name: 'Kiln' })
  await client.post('/shop/cart', { product_id: product })
  interface Order {
    readonly id: string
    readonly items: readonly { readonly id: string }[]
    readonly payments: readonly {
      readonly id: string
      readonly refunds: readonly { readonly id: string }[]
    }[]
  }
  const { body: made } = await client.post<{ data: Order }>('/shop/checkout', {})
  const { id } = made.data
  await side.admin.post(`/shop/orders/${id}/mark-paid`, {})
  await side.admin.post(`/shop/orders/${id}/refund`, { amount: 1 })
  const { body } = await side.admin.get<{ data: Order }>(`/shop/orders/${id}`)
  const text = JSON.stringify(body.data)
  for (const [prefix, type] of [
    ['pay', 'order_payment'],
    ['line', 'order_line'],
    ['rfnd', 'order_refund'],
  ] as const) {
    const [thing = `no ${prefix}`] = new RegExp(`${prefix}_[0-9a-z]{26}`).exec(text) ?? []
    expect(await find(thing)).toMatchObject([{ type, id: thing, exact: true, parent_id: id }])
  }
  const { sessionId } = await side.signIn(member)
  expect(await find(sessionId)).toMatchObject([{ type: 'session', parent_id: member }])
})
