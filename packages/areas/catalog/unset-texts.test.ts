import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { nameOf, type Part, partsOf, withValue } from '#testkit/catalog/json-paths.ts'
import { actingHeaders, fillPath, jsonBody, makeNamed, pathIds } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Every text that a PATCH can empty: null unsets it, too. A new one is covered the day it is added.

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string

withProjects(async (opened, project) => {
  api = opened
  side = project.live
  credentialFor = await makeCredentials(side)
})

/** Texts for which null and the empty text are not the same, with the reason why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'updateArticle content': 'creating an article requires it, so it can be empty and never unset',
  'updateForm settings.submit_button_text': 'null removes a setting, and an empty text is a setting',
  'updateForm settings.success_message': 'null removes a setting, and an empty text is a setting',
  'updateProfile bio': 'GET shows it with include alone',
  'updateProfile display_name': 'GET shows it with include alone',
  'updateProfile redirect_url': 'it says where the mail to a new address leads, and is not kept',
  updateMailTemplates: 'null goes back to the text that every project has, and an empty text replaces it',
}

/** The texts of a body that its schema lets be empty. */
const textsOf = (patch: Endpoint): Part[] =>
  partsOf(api.contract, jsonBody(patch)?.schema ?? {}).filter(
    ({ path, schema }) =>
      [schema.type].flat().includes('string') &&
      path.every((step) => typeof step === 'string') &&
      api.contract.faultOf(schema, '') === undefined,
  )

/** A resource that a PATCH changes. */
async function makeTarget(patch: Endpoint) {
  const ids: Record<string, string> = {}
  for (const { name, prefix } of pathIds(patch)) ids[name] = await makeNamed(side, prefix)
  const headers = actingHeaders(patch, await side.member())
  // Each call has a token of another member.
  const key = credentialFor(patch)
  const hasGet = api.contract.endpoints.some(({ method, path }) => method === 'GET' && path === patch.path)
  const send = (method: string, body?: unknown) =>
    api.send(method, fillPath(patch, ids), { key, body, headers })
  return {
    /** The status of a change, and how the resource is shown after it. */
    change: async (body: unknown) => {
      const changed = await send('PATCH', body)
      return { status: changed.status, shown: shown((hasGet ? await send('GET') : changed).body) }
    },
  }
}

/** An answer without what differs from one to the next. */
const shown = (body: unknown): string =>
  JSON.stringify(body, (name, value) => (name === 'updated_at' ? undefined : value))

test('null unsets every optional text, and leaves what an empty text leaves', async () => {
  const wrong: string[] = []
  const unset: string[] = []
  for (const patch of api.contract.endpoints.filter(({ method }) => method === 'PATCH')) {
    const { operationId } = patch.operation
    if (operationId in DIFFERENT) continue
    const texts = textsOf(patch)
    if (texts.length === 0) continue
    const { change } = await makeTarget(patch)
    for (const { path, schema } of texts) {
      const name = `${operationId} ${nameOf(path)}`
      if (name in DIFFERENT) continue
      const empty = await change(withValue({}, path, ''))
      // An id, say, which is looked for and not found.
      if (empty.status !== 200) continue
      const set = await change(withValue({}, path, (schema.examples as unknown[] | undefined)?.[0]))
      const none = await change(withValue({}, path, null))
      if (set.status !== 200 || set.shown === empty.shown) wrong.push(`${name}: its example sets nothing`)
      if (none.status !== 200) wrong.push(`${name}: refuses null`)
      else if (none.shown !== empty.shown) wrong.push(`${name}: ${none.shown} instead of ${empty.shown}`)
      unset.push(name)
    }
  }
  expect(wrong).toEqual([])
  expect(unset).toEqual(
    expect.arrayContaining([
      'updateMember full_name',
      'updatePlan description',
      'updateForm description',
      'updateMailSettings footer',
      'updateProduct category',
      'updateVariant name',
    ]),
  )
})
