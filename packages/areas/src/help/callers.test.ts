import { expect, test } from 'vitest'
import { type Callers, makeCallers } from '#testkit/areas/auth/callers.ts'
import { withProjects } from '#testkit/with-api.ts'
import { HelpCenter } from './help-center.fixture.ts'

// Who may read and write what in the help center, tried by everybody who can call: key, author, other, moderator (who has
// no plan here), outsider, pending, inactive; public key with and without capabilities; nobody.

let callers: Callers
let help: HelpCenter

withProjects(async (api, one) => {
  callers = await makeCallers(api, one.live)
  help = new HelpCenter(one.live)
})

test('each article is read by those whom it is for, and missing to others', async () => {
  const readers: [object, number[]][] = [
    [{}, [200, 200, 200, 200, 200, 200, 401, 200, 403, 401]],
    [{ visibility: 'members' }, [200, 200, 200, 200, 200, 200, 401, 404, 403, 401]],
    [{ visibility: 'internal' }, [200, 404, 404, 404, 404, 404, 401, 404, 403, 401]],
    [{ required_plans: [callers.planId] }, [200, 200, 200, 404, 404, 200, 401, 404, 403, 401]],
  ]
  for (const [input, expected] of readers) {
    const { id } = await help.article(input)
    for (const path of [`/help/articles/${id}`, `/help/articles/${id}/related`])
      expect([input, path, await callers.statusesOf('GET', path)]).toEqual([input, path, expected])
  }
  const draft = await help.draft()
  expect(await callers.statusesOf('GET', `/help/articles/${draft.id}`)).toEqual([
    ...[200, 404, 404, 404, 404, 404, 401, 404, 403, 401],
  ])
})

test('active members vote for what they may read; a public key must name a session', async () => {
  const { id } = await help.article({ visibility: 'members' })
  expect(await callers.statusesOf('PUT', `/help/articles/${id}/vote`, { helpful: true })).toEqual([
    ...[200, 200, 200, 200, 200, 403, 401, 422, 403, 401],
  ])
})

test('keys alone write, and read versions and insights', async () => {
  const { id } = await help.article()
  const keys = [200, 403, 403, 403, 403, 403, 401, 403, 403, 401]
  expect(await callers.statusesOf('PATCH', `/help/articles/${id}`, { title: 'x' })).toEqual(keys)
  for (const verb of ['publish', 'archive'])
    expect([verb, await callers.statusesOf('POST', `/help/articles/${id}/${verb}`)]).toEqual([verb, keys])
  for (const path of [`/help/articles/${id}/versions`, '/help/insights'])
    expect([path, await callers.statusesOf('GET', path)]).toEqual([path, keys])
})
