import { isDeepStrictEqual } from 'node:util'
import { expect, test, vi } from 'vitest'
import { COMMAND } from '#areas/projects/acts.ts'
import { setLimits } from '#areas/projects/set-limits.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import type { Endpoint, Schema } from '#testkit/catalog/contract.ts'
import { actingHeaders, fillPath, jsonBody, makeNamed, pathIds } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Two changes of different fields at the same moment, of everything that can be changed: a new PATCH is covered the day it
// is added.

/** How often both are sent. */
const ROUNDS = 50
/** PATCHes of several fields of which no two can be sent at once, with the reason. */
const NO_TWO_FIELDS: Readonly<Record<string, string>> = {
  updateComment: 'its attachments are files that its author has uploaded for it',
  updateMailTemplates: 'its fields are the templates, and each is replaced as a whole',
  updateNotificationPreferences:
    'its fields are objects by kind: notifications/mails/mails.test.ts changes two at once',
}
/** Fields that are left out, with the reason. */
const LEFT_OUT: Readonly<Record<string, { field: string; why: string }>> = {
  updateEnrollment: {
    field: 'expires_at',
    why: 'a status that opens the enrollment again gives it a new end',
  },
  updateSsoConnection: { field: 'required', why: 'it needs `domains`, which another change empties' },
}

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string

withProjects(async (opened, { project, live }) => {
  api = opened
  await setLimits(api.operators, project.id, 'live', { limits: { member: 100_000 } }, COMMAND)
  side = live
  credentialFor = await makeCredentials(side)
})

type Fields = Readonly<Record<string, unknown>>

/** A field with two values that it takes. */
interface Field {
  readonly name: string
  readonly values: readonly [unknown, unknown]
}

/** The changes of something that is made for them. */
async function makeTarget(patch: Endpoint) {
  const ids: Record<string, string> = {}
  for (const { name, prefix } of pathIds(patch)) ids[name] = await makeNamed(side, prefix)
  const headers = actingHeaders(patch, await side.member())
  const key = credentialFor(patch)
  const isRead = api.contract.endpoints.some(({ path, method }) => path === patch.path && method === 'GET')
  const send = async (method: string, body?: Fields) => {
    const answer = await api.send(method, fillPath(patch, ids), { key, headers, ...(body && { body }) })
    return { status: answer.status, shown: resourceIn(answer.body) }
  }
  return {
    change: (fields: Fields) => send('PATCH', fields),
    read: () => (isRead ? send('GET') : send('PATCH', {})),
  }
}

type Target = Awaited<ReturnType<typeof makeTarget>>

/** The fields that a PATCH takes, with what each may be. */
function fieldsOf(patch: Endpoint): Record<string, Schema> {
  const { schema = {} } = jsonBody(patch) ?? {}
  const body = schema.$ref === undefined ? schema : api.contract.resolve(String(schema.$ref))
  const left = LEFT_OUT[patch.operation.operationId]?.field
  const fields = Object.entries(body.properties as Record<string, Schema>)
  // `member_id` names who asks.
  return Object.fromEntries(fields.filter(([name]) => name !== left && name !== 'member_id'))
}

/** What an answer is about: the object in it, or itself. */
function resourceIn(body: unknown): Fields {
  const inner = Object.values((body ?? {}) as object).find(
    (part) => typeof part === 'object' && part !== null && !Array.isArray(part),
  )
  return (inner ?? body ?? {}) as Fields
}

/** Values that a field may take; whether it does, the API says. */
function candidates(schema: Schema): unknown[] {
  const described = schema.$ref === undefined ? schema : api.contract.resolve(String(schema.$ref))
  const { anyOf, type, enum: words, minimum = 1, examples, additionalProperties } = described
  if (Array.isArray(anyOf)) return anyOf.flatMap((branch) => candidates(branch))
  if (Array.isArray(words)) return words
  const types = [type].flat()
  if (types.includes('boolean')) return [true, false]
  if (types.includes('integer') || types.includes('number')) return [Number(minimum), Number(minimum) + 1]
  if (types.includes('string')) return ['Kept a', 'Kept b', 'kept-a', 'kept-b', ...URLS, ...TIMES]
  if (types.includes('array')) return [[], (examples as unknown[] | undefined)?.[0]]
  if (types.includes('object') && additionalProperties !== false) return [{ kept: 'a' }, { kept: 'b' }]
  return []
}
const URLS = ['https://example.com/a', 'https://example.com/b']
const TIMES = ['2090-01-01T00:00:00.000Z', '2091-01-01T00:00:00.000Z']

/** The fields of a body that can be changed here and now, and that the answer shows. */
async function changeable(target: Target, fields: Readonly<Record<string, Schema>>): Promise<Field[]> {
  const found: Field[] = []
  for (const [name, schema] of Object.entries(fields)) {
    const taken: unknown[] = []
    for (const value of candidates(schema)) {
      if (value === undefined || taken.length === 2) continue
      const { status, shown } = await target.change({ [name]: value })
      if (status === 200 && isDeepStrictEqual(shown[name], value)) taken.push(value)
    }
    if (taken.length === 2) found.push({ name, values: [taken[0], taken[1]] })
  }
  return found
}

const shows = ({ shown }: { shown: Fields }, wanted: Fields) =>
  Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(shown[name], value))

/** Changes neighbouring fields at the same moment, again and again. @returns in how many rounds one of both was lost */
async function lostOf(target: Target, fields: readonly Field[]) {
  let lost = 0
  for (let round = 0; round < ROUNDS; round++) {
    const pair = [0, 1].map((n) => {
      const { name, values } = fields[(round + n) % fields.length] as Field
      return { [name]: values[Math.floor(round / fields.length) % 2] }
    })
    const answers = await Promise.all(pair.map((change) => target.change(change)))
    const refused = answers.find(({ status }) => status !== 200)
    if (refused !== undefined)
      throw new Error(`${JSON.stringify(pair)}: ${refused.status} ${JSON.stringify(refused.shown)}`)
    const both: Fields = Object.assign({}, ...pair)
    // Whoever came second answers both.
    if (!answers.some((answer) => shows(answer, both)) && !shows(await target.read(), both)) lost++
  }
  return lost
}

test('two PATCHes of different fields at the same moment are both kept, of everything that can be changed', async () => {
  const wrong: string[] = []
  const untried: string[] = []
  let tried = 0
  for (const patch of api.contract.endpoints.filter(({ method }) => method === 'PATCH')) {
    const { operationId } = patch.operation
    const taken = fieldsOf(patch)
    if (Object.keys(taken).length < 2) continue
    const target = await makeTarget(patch)
    const fields = await changeable(target, taken)
    if (fields.length < 2) untried.push(operationId)
    else {
      tried++
      const lost = await lostOf(target, fields).catch((error: Error) => error.message)
      if (lost !== 0) wrong.push(`${operationId}: ${lost}`)
    }
  }
  expect(wrong).toEqual([])
  expect(untried).toEqual(Object.keys(NO_TWO_FIELDS))
  expect(tried).toBeGreaterThan(20)
})
