import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  admitSignUp,
  CONFIRMED_SIGN_UP_MS,
  joinMember,
  type PreparedSignUp,
  prepareSignUp,
  requestMail,
} from '#areas/auth/service.ts'
import { attachFile, discardFile, findReadyFile, keepFile } from '#areas/storage/service.ts'
import { memberNamed } from '#platform/actor.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError, invalidBody, invalidField } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { clientAddress } from '#platform/http/server/client-address.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { getHead } from '../builder/queries.ts'
import { notPublished } from '../errors.ts'
import type { CompiledForm, Evaluated } from '../evaluation/compiled-form.ts'
import type { FileFacts } from '../evaluation/file-fields.ts'
import type { FormsDeps } from '../forms-deps.ts'
import { formId, submissionId } from '../ids.ts'
import { fileTarget, type SubmissionRow } from '../rows.ts'
import type { NewSubmissionRow } from './queries.ts'
import { asSubmission, discardAll, receiveSubmission, type Sent } from './receive-submission.ts'
import type { Receipt } from './schema.ts'
import { duplicateSeconds, looksAutomatic, secondsSince } from './spam.ts'
import { keepSubmission } from './submissions.ts'

const USER_AGENT_LENGTH = 512
const REFERRER_LENGTH = 2_048
/** Characters that patterns are matched with at once; more of them wait for a turn of the event loop. */
const MATCHED_AT_ONCE = 8 * 1024

/**
 * Accepts a submission in each of its formats. A submission that looks like spam is stored separately and gets the same
 * answer.
 * @throws ApiError 404; 422 FORM_NOT_PUBLISHED, VALIDATION_ERROR, EMAIL_TAKEN or QUOTA_EXCEEDED; 403 for a member that
 *   a public key names; 503
 */
export async function submit(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: FormsDeps,
  id: string,
): Promise<Receipt> {
  const body = request.isMultipart() ? undefined : asSubmission(request.body)
  const { head } = await request.read({ head: getHead({ id }) })
  if (head.status !== 'published') throw notPublished()
  const form = await deps.versions.get(request, id, head.version)
  const sent = body ? { ...body, files: new Map() } : await receiveSubmission(request, reply, deps, form)
  try {
    const plan = await decide(request, reply, deps, { formId: id, form, sent, now: head.now })
    const made = await carryOut(request, deps, plan)
    const { success_message, redirect_url } = form.settings
    return {
      id: toId(submissionId, made.id),
      form_id: toId(formId, id),
      form_version: form.version,
      created_at: made.created_at,
      ...(success_message !== undefined && { success_message }),
      ...(redirect_url !== undefined && { redirect_url }),
    }
  } catch (error) {
    await discardAll(request, sent.files)
    throw error
  }
}

interface Subject {
  readonly formId: string
  readonly form: CompiledForm
  readonly sent: Sent
  /** When it arrived, by the project's clock. */
  readonly now: string
}

/** A valid submission, after all slow work. */
interface Plan extends Subject {
  readonly row: NewSubmissionRow
  /** Stored ids of files that were there before. */
  readonly referred: readonly string[]
  readonly signUp: PreparedSignUp | undefined
}

/** @throws ApiError 422, 403; 503 */
async function decide(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: FormsDeps,
  subject: Subject,
): Promise<Plan> {
  const { formId, form, sent, now } = subject
  const { settings } = form
  const memberId = memberNamed(callerOf(request).actor, sent.member_id, 'member_id') ?? null
  if (memberId !== null && settings.signup !== undefined)
    throw invalidField('member_id', 'additionalProperties', 'is not allowed for a form that creates members')
  const referred = await findReferred(request, subject)
  const came = [...sent.files].map(([field, file]): [string, FileFacts] => [
    field,
    { ...file, id: toId('file', file.id) },
  ])
  const isLong = form.hasPatterns && JSON.stringify(sent.data).length > MATCHED_AT_ONCE
  if (isLong) await deps.turns.next({ projectId: callerOf(request).projectId })
  const evaluated = form.evaluate(sent.data, new Map([...referred, ...came]))
  if (evaluated.faults.length > 0) throw invalidBody(evaluated.faults)
  const { data } = evaluated
  const elapsed = sent.token === undefined ? undefined : secondsSince(deps.tokenHash, formId, sent.token, now)
  const isSpam = looksAutomatic(settings, sent.data, elapsed)
  const digest = settings.signup === undefined ? digestOf(request, deps, subject, { data, memberId }) : null
  return {
    ...subject,
    referred: form.fileFields.flatMap((field) =>
      referred.has(field) && !sent.files.has(field) ? (parseId('file', String(data[field])) ?? []) : [],
    ),
    signUp: isSpam ? undefined : await prepareMemberOf(request, reply, deps, form, evaluated),
    row: {
      id: newUuid(),
      form_id: formId,
      form_version: form.version,
      status: isSpam ? 'spam' : 'received',
      data: JSON.stringify(data),
      member_id: memberId,
      ip: clientAddress(request),
      user_agent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH),
      referrer: (request.headers.referer ?? '').slice(0, REFERRER_LENGTH),
      digest,
      duplicate_seconds: duplicateSeconds(settings),
    },
  }
}

/**
 * Files that the values name, as far as there are any. With a public key none is found: whoever knows the id of a public
 * file could have it deleted with a submission.
 */
async function findReferred(
  request: FastifyRequest,
  { form, sent }: Subject,
): Promise<Map<string, FileFacts>> {
  const found = new Map<string, FileFacts>()
  if (!credentialOf(request).isKey) return found
  for (const field of form.fileFields) {
    const named = Object.hasOwn(sent.data, field) ? sent.data[field] : undefined
    const id = typeof named === 'string' ? parseId('file', named) : undefined
    const facts = id === undefined ? undefined : (await request.read({ file: findReadyFile({ id }) })).file
    if (facts !== undefined && typeof named === 'string') found.set(field, { ...facts, id: named })
  }
  return found
}

/** Of the answers and their sender; null where nobody knows who that is, or duplicates are welcome. */
function digestOf(
  request: FastifyRequest,
  { digestHash }: FormsDeps,
  { formId, form, sent }: Subject,
  { data, memberId }: { data: Evaluated['data']; memberId: string | null },
): Buffer | null {
  if (duplicateSeconds(form.settings) === 0) return null
  const isAddressKnown = request.key?.type === 'public' || request.headers['x-client-ip'] !== undefined
  const sender = memberId ?? (isAddressKnown ? clientAddress(request) : undefined)
  if (sender === undefined) return null
  const checksums = [...sent.files].map(([field, { checksum }]) => [field, checksum])
  return digestHash(JSON.stringify([formId, sender, { ...data, ...Object.fromEntries(checksums) }]))
}

/** @throws ApiError 503 where too many passwords are being hashed */
async function prepareMemberOf(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: FormsDeps,
  { settings: { signup } }: CompiledForm,
  { data, passwords }: Evaluated,
): Promise<PreparedSignUp | undefined> {
  if (signup === undefined) return undefined
  const email = String(data[signup.email_field])
  await admitSignUp(request, reply, deps.limiter, email)
  const password = passwords.get(signup.password_field ?? '')
  const fullName = data[signup.full_name_field ?? '']
  return prepareSignUp(request, deps, callerOf(request).projectId, {
    email,
    ...(password !== undefined && { password }),
    ...(typeof fullName === 'string' && { full_name: fullName }),
  })
}

/** @throws ApiError 422 EMAIL_TAKEN where the project does not confirm addresses */
async function carryOut(request: FastifyRequest, deps: FormsDeps, plan: Plan): Promise<SubmissionRow> {
  const { signUp } = plan
  if (signUp === undefined) return request.write((ctx) => keep(ctx, deps, plan))
  const started = performance.now()
  try {
    return await request.write(async (ctx) => {
      await joinMember(ctx, signUp)
      return keep(ctx, deps, { ...plan, row: { ...plan.row, member_id: signUp.prepared.row.id } })
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'EMAIL_TAKEN')) throw error
    if (!signUp.isConfirmed) throw emailTaken(plan.form, error)
    // Only the owner of the address learns that it is taken.
    return await request.write((ctx) => {
      if (signUp.mail) requestMail(ctx, signUp.mail)
      return keep(ctx, deps, plan)
    })
  } finally {
    if (signUp.isConfirmed) await sleep(Math.max(0, started + CONFIRMED_SIGN_UP_MS - performance.now()))
  }
}

const emailTaken = ({ settings }: CompiledForm, { code, message }: ApiError) =>
  new ApiError(422, code, message, {
    details: [{ field: `data.${settings.signup?.email_field}`, rule: 'unique', message: 'is taken' }],
  })

async function keep(ctx: Context, deps: FormsDeps, plan: Plan): Promise<SubmissionRow> {
  const { form, sent, row, referred } = plan
  const kept = await keepSubmission(ctx, form, row, deps.config.BASE_URL)
  const target = fileTarget(row.id)
  for (const [field, file] of sent.files) {
    if (!Object.hasOwn(kept.data as object, field)) {
      // The field is hidden.
      await discardFile(ctx, file.id)
      continue
    }
    await keepFile(ctx, deps, file, { visibility: 'private', ownerId: row.member_id })
    attachFile(ctx, file.id, target)
  }
  for (const id of referred) attachFile(ctx, id, target)
  return kept
}
