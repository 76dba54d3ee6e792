import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeProduct } from '#testkit/areas/money/shop.ts'
import { actingHeaders, fillPath, jsonBody, pathIds } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import type { Plan } from './schema.ts'

let api: TestApi
let side: Side
let plans: Record<'open' | 'hidden' | 'archived', Plan>
/** What names all three plans, by the prefix of its id. */
let made: Record<string, string>

withProjects(async (opened, project) => {
  api = opened
  side = project.live
  const archived = await side.makePlan({ name: 'Archived' })
  plans = {
    archived,
    open: await side.makePlan({ name: 'Open' }),
    hidden: await side.makePlan({ name: 'Hidden', visibility: 'hidden' }),
  }
  await side.admin.post(`/plans/${archived.id}/archive`)
  made = await makeAll()
})

const create = async (path: string, body: object): Promise<string> => {
  const answer = await side.admin.post<{ data?: { id: string }; content?: { id: string } }>(path, body)
  return (answer.body.data ?? answer.body.content)?.id ?? JSON.stringify(answer.body)
}

/** One of each thing that names plans and that others than the team see. */
async function makeAll() {
  const required_plans = [plans.hidden.id, plans.open.id, plans.archived.id]
  const article = await create('/help/articles', { title: 'For some', content: 'Words', required_plans })
  await side.admin.post(`/help/articles/${article}/publish`)
  return {
    art: article,
    dcat: await create('/discussion-categories', { name: 'Gated', required_plans }),
    rule: await create('/member-content', { url_pattern: '/gated/**', required_plans }),
    prod: (await makeProduct(side, { grants: { plan_id: plans.hidden.id } })).id,
    plan: plans.hidden.id,
  }
}

/** The endpoints that others than keys can call, with what is made above where the path names it. */
const reachable = () =>
  api.contract.endpoints.filter(({ operation }) => {
    const access = operation['x-access']
    return access !== 'open' && (access.public !== undefined || access.user !== undefined)
  })

test('no answer to a public key or to a member names a plan that is not public', async () => {
  const publicKey = await side.makeKey({
    type: 'public',
    capabilities: ['auth', 'catalog', 'submit', 'access'],
  })
  const { id: reader } = await side.makeMember({ plan_id: plans.open.id })
  const { token } = await side.signIn(reader)
  const leaks: string[] = []
  const named: string[] = []
  for (const key of [publicKey.key, token]) {
    for (const endpoint of reachable()) {
      const { operationId } = endpoint.operation
      if (endpoint.method !== 'GET' && !operationId.startsWith('checkPage')) continue
      const ids = Object.fromEntries(
        pathIds(endpoint).map(({ name, prefix }) => [name, made[prefix] ?? reader]),
      )
      const example = JSON.stringify(jsonBody(endpoint)?.example ?? null)
      const { status, body } = await api.send(endpoint.method, fillPath(endpoint, ids), {
        key,
        headers: actingHeaders(endpoint, reader),
        ...(endpoint.method === 'POST' && {
          body: JSON.parse(example.replaceAll('/courses/pottery', '/gated/page')),
        }),
      })
      const text = JSON.stringify(body)
      if (text.includes(plans.open.id)) named.push(operationId)
      for (const plan of [plans.hidden, plans.archived])
        if (text.includes(plan.id)) leaks.push(`${operationId} ${status}: ${plan.name}`)
    }
  }
  expect(leaks).toEqual([])
  // What shows plans at all was asked for.
  expect(new Set(named)).toEqual(
    new Set([
      ...['listPlans', 'checkPage', 'checkPages', 'listDiscussionCategories', 'getDiscussionCategory'],
      ...['listArticles', 'getArticle', 'getMemberEntitlements', 'getProfile'],
    ]),
  )
})

test('a secret key sees every plan', async () => {
  const all = [plans.hidden.id, plans.open.id, plans.archived.id]
  const read = async (path: string) => (await side.admin.get<{ data: object }>(path)).body.data
  expect(await read(`/help/articles/${made['art']}`)).toMatchObject({ required_plans: all })
  expect(await read(`/discussion-categories/${made['dcat']}`)).toMatchObject({
    requires_plan: true,
    required_plans: all,
  })
  expect(await read(`/shop/products/${made['prod']}`)).toMatchObject({ grants: { plan_id: plans.hidden.id } })
  const check = await side.admin.post<{ data: object }>('/member-content/check', { url: '/gated/page' })
  expect(check.body.data).toMatchObject({ required_plans: all })
})

test('a check of a page names a plan within a second of its publication, and no more once it is hidden', async () => {
  const { key } = await side.makeKey({ type: 'public', capabilities: ['access'] })
  const plan = await side.makePlan({ visibility: 'hidden' })
  await create('/member-content', { url_pattern: '/soon', required_plans: [plan.id] })
  const shown = async () => {
    const { body } = await side.as(key).post<{ data: object }>('/member-content/check', { url: '/soon' })
    return body.data
  }
  expect(await shown()).toMatchObject({ reason: 'login_required', required_plans: [] })
  await side.admin.patch(`/plans/${plan.id}`, { visibility: 'public' })
  await within(1_000, async () => expect(await shown()).toMatchObject({ required_plans: [plan.id] }))
  await side.admin.patch(`/plans/${plan.id}`, { visibility: 'hidden' })
  await within(1_000, async () => expect(await shown()).toMatchObject({ required_plans: [] }))
})
