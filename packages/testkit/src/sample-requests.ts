import { TypeID } from 'typeid-js'
import { suppressionId } from '#areas/mail/ids.ts'
import { listSuppressions } from '#areas/mail/log-queries.ts'
import { suppressAddress } from '#areas/mail/queries.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { RequestOptions } from './api.ts'
import { COMMUNITY } from './community.ts'
import type { Content, Endpoint, Parameter } from './contract.ts'
import { makeExportRow } from './exports.ts'
import type { Side } from './factories.ts'
import { makeFileRow } from './files.ts'
import { makeForm, submitForm } from './forms.ts'
import { enroll, makeAttempt, makeCertificate, makeCourse, makeDraft, makeModule, makeQuiz } from './lms.ts'
import { makeImportRow } from './member-imports.ts'
import { connectSaml } from './saml-idp.ts'
import { makeCartItem, makeDiscount, makeOrder, makeOrderLine, makeProduct, makeVariant } from './shop.ts'
import { registerEndpoint, sendTest } from './webhooks.ts'

/** How to make what an id names, by its prefix, where the example of no POST makes it. */
const MAKERS: Readonly<Record<string, (side: Side) => Promise<{ id: string }>>> = {
  art: writeArticle,
  cat: makeCategory,
  fb: sendFeedback,
  ...COMMUNITY,
  bill: async (side) => ({ id: (await subscribe(side)).open_bill_id }),
  pacc: addAccount,
  prev: previewChange,
  subs: subscribe,
  file: makeFileRow,
  form: makeForm,
  sub: submitForm,
  key: (side) => side.makeKey(),
  proj: async (side) => ({ id: toId('project', side.projectId) }),
  ses: async (side) => ({ id: (await side.signIn(await side.member())).sessionId }),
  fac: beginFactor,
  exp: makeExportRow,
  imp: makeImportRow,
  inv: invite,
  mem: (side) => side.makeMember(),
  plan: (side) => side.makePlan(),
  rule: protectPage,
  goal: async (side) =>
    (await side.admin.post<{ data: { id: string } }>('/analytics/goals', { event: newUuid() })).body.data,
  prod: (side) => makeProduct(side),
  var: async (side) => makeVariant(side, (await makeProduct(side)).id),
  item: makeCartItem,
  ord: makeOrder,
  dsct: (side) => makeDiscount(side),
  whe: (side) => registerEndpoint(side),
  sso: connectSaml,
  sup: suppressSomebody,
  crs: (side) => makeDraft(side),
  line: makeOrderLine,
  mod: async (side) => makeModule(side, (await makeDraft(side)).id),
  les: async (side) => (await makeQuiz(side)).lesson,
  quiz: async (side) => {
    const { course, quiz } = await makeQuiz(side)
    await enroll(side, course.id, await side.member())
    return quiz
  },
  enr: async (side) => enroll(side, (await makeCourse(side)).id, await side.member()),
  att: makeAttempt,
  cert: async (side) => makeCertificate(side, await side.member()),
  dlv: async (side) => sendTest(side, (await registerEndpoint(side)).id),
}

/** A published article with a translation. */
async function writeArticle(side: Side): Promise<{ id: string }> {
  const text = { title: 'Reset your password', content: 'Open **Settings**.' }
  const { id } = (await side.admin.post<{ data: { id: string } }>('/help/articles', text)).body.data
  await side.admin.post(`/help/articles/${id}/publish`)
  await side.admin.put(`/help/articles/${id}/translations/de`, text)
  return { id }
}

async function makeCategory(side: Side): Promise<{ id: string }> {
  return (await side.admin.post<{ data: { id: string } }>('/help/categories', { name: 'Account' })).body.data
}

async function subscribe(side: Side): Promise<{ id: string; open_bill_id: string }> {
  const [{ id: member_id }, { id: plan_id }] = [await side.makeMember(), await side.makePlan()]
  const body = { member_id, plan_id }
  return (await side.admin.post<{ data: { id: string; open_bill_id: string } }>('/subscriptions', body)).body
    .data
}

/** A change of plan that would be free of charge: of a trial. */
async function previewChange(side: Side): Promise<{ id: string }> {
  const [{ id: member_id }, plan, other] = [
    await side.makeMember(),
    await side.makePlan({ trial_days: 7 }),
    await side.makePlan(),
  ]
  const { id } = (
    await side.admin.post<{ data: { id: string } }>('/subscriptions', { member_id, plan_id: plan.id })
  ).body.data
  const { body } = await side.admin.post<{ data: { preview_id: string } }>(
    `/subscriptions/${id}/preview-change`,
    {
      plan_id: other.id,
    },
  )
  return { id: body.data.preview_id }
}

async function addAccount(side: Side): Promise<{ id: string }> {
  const body = { provider: 'manual', name: 'By bank transfer' }
  return (await side.admin.post<{ data: { id: string } }>('/payment-accounts', body)).body.data
}

async function sendFeedback(side: Side): Promise<{ id: string }> {
  const body = { type: 'feature', message: 'A dark theme' }
  return (await side.admin.post<{ feedback: { id: string } }>('/feedback', body)).body.feedback
}

async function invite(side: Side): Promise<{ id: string }> {
  const email = `${new TypeID('').toString()}@example.com`
  return (await side.admin.post<{ data: { id: string } }>('/invitations', { email })).body.data
}

/** A rule that protects a page nobody asks for. */
async function protectPage(side: Side): Promise<{ id: string }> {
  const url_pattern = `/members/${newUuid()}`
  return (await side.admin.post<{ content: { id: string } }>('/member-content', { url_pattern })).body.content
}

/** An authenticator app of the side's member, begun and not confirmed. */
async function beginFactor(side: Side): Promise<{ id: string }> {
  const { token } = await side.signIn(await side.member())
  const { body } = await side.as(token).post<{ data: { id: string } }>('/auth/mfa/totp', {})
  return body.data
}

/** An address that mail has bounced from. */
async function suppressSomebody(side: Side): Promise<{ id: string }> {
  await side.inProject(async (ctx) =>
    suppressAddress(ctx, { address: `${newUuid()}@example.com`, mail_id: newUuid(), response: '550 5.1.1' }),
  )
  const { rows } = await side.inProject((ctx) => listSuppressions(ctx, { limit: 1 }))
  return { id: rows[0] ? toId(suppressionId, rows[0].id) : '' }
}

/** An id that names nothing. */
export const missingId = (prefix: string): string => new TypeID(prefix).toString()

/** Makes something in a project that an id with this prefix can name. @throws Error where it cannot be made */
export async function makeNamed(side: Side, prefix: string): Promise<string> {
  const make = MAKERS[prefix]
  return make ? (await make(side)).id : makeByExample(side, prefix)
}

/** Sends the documented example of the POST that answers such an id; what the example names is made before. */
async function makeByExample(side: Side, prefix: string): Promise<string> {
  const endpoint = side.contract.endpoints.find(
    ({ method, operation }) =>
      method === 'POST' &&
      idIn(operation.responses?.['201']?.content?.['application/json']?.example) === prefix,
  )
  if (!endpoint) throw new Error(`no POST answers 201 with ${prefix}_…: teach sample-requests.ts to make it`)
  const ids: Record<string, string> = {}
  for (const path of pathIds(endpoint)) ids[path.name] = await makeNamed(side, path.prefix)
  const body = structuredClone(jsonBody(endpoint)?.example ?? {}) as Record<string, unknown>
  for (const [field, value] of Object.entries(body)) {
    const named = prefixOf(value)
    if (named !== undefined)
      body[field] = named === 'mem' ? await side.member() : await makeNamed(side, named)
  }
  const url = fillPath(endpoint, ids).replace('/api/v1', '')
  const answer = await side.admin.post(url, body, { headers: actingHeaders(endpoint, await side.member()) })
  const id = findId(answer.body, prefix)
  if (id === undefined)
    throw new Error(`${endpoint.path} made no ${prefix}_…: ${JSON.stringify(answer.body)}`)
  return id
}

/** The `id` of the object that an answer is about: in `data`, in another field, or its own. */
const idsOf = (answer: unknown): string[] =>
  [answer, ...Object.values((answer ?? {}) as object)].flatMap((value) => {
    const { id } = (value ?? {}) as { id?: unknown }
    return typeof id === 'string' ? [id] : []
  })
const idIn = (answer: unknown): string | undefined => idsOf(answer).map(prefixOf)[0]
const findId = (answer: unknown, prefix: string) => idsOf(answer).find((id) => prefixOf(id) === prefix)

/** The path parameters of an endpoint that are ids, with the prefix of what they take, as their examples show. */
export function pathIds({ operation }: Endpoint): { name: string; prefix: string }[] {
  return (operation.parameters ?? []).flatMap(({ in: place, name, example }) => {
    const prefix = place === 'path' ? prefixOf(example) : undefined
    return prefix === undefined ? [] : [{ name, prefix }]
  })
}

/** The prefix of an id, or undefined for any other value. */
export const prefixOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^([a-z]+)_[0-9a-z]{26}$/.exec(value)?.[1] : undefined

/** The path of an endpoint with ids filled in; those that are not given name nothing. What is no id is its example. */
export function fillPath(endpoint: Endpoint, ids: Readonly<Record<string, string>> = {}): string {
  const filled = pathIds(endpoint).reduce(
    (path, { name, prefix }) => path.replace(`{${name}}`, ids[name] ?? missingId(prefix)),
    endpoint.path,
  )
  return (endpoint.operation.parameters ?? []).reduce(
    (path, { name, example }) => path.replace(`{${name}}`, String(example)),
    filled,
  )
}

export const queryParameters = ({ operation }: Endpoint): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')

/** Whether an endpoint takes a form in place of JSON. */
export const takesForm = ({ operation }: Endpoint): boolean =>
  operation.requestBody?.content?.['multipart/form-data'] !== undefined

/** What a browser posts of a page's form. */
export const FORM = 'application/x-www-form-urlencoded'

/** The header that names who acts, for an endpoint at which a secret key names a member there. */
export function actingHeaders({ operation }: Endpoint, memberId: string): Record<string, string> {
  const takes = operation.parameters?.some(({ name }) => name === 'X-User-ID')
  const access = operation['x-access']
  return takes && access !== 'open' && access.secret !== undefined ? { 'x-user-id': memberId } : {}
}

/** The documented example of what an endpoint takes, as it is sent. */
export function sampleBody(endpoint: Endpoint): Pick<RequestOptions, 'body' | 'raw' | 'headers'> {
  const form = endpoint.operation.requestBody?.content?.[FORM]
  if (!form) return { body: jsonBody(endpoint)?.example }
  const raw = new URLSearchParams(form.example as Record<string, string>).toString()
  return { raw, headers: { 'content-type': FORM } }
}

/** The JSON body that an endpoint takes, with its documented example, or undefined. */
export const jsonBody = ({ operation }: Endpoint): NonNullable<Content['content']>[string] | undefined =>
  operation.requestBody?.content?.['application/json']
