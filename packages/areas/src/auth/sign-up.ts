import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { createMember, type PreparedMember, prepareMember, readMember } from '#areas/members/service.ts'
import { ApiError } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { callerOf } from '#platform/http/authenticate.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { deviceOf } from './device.ts'
import { memberSignedUp } from './events.ts'
import type { Identity } from './identity.ts'
import { getSettings } from './member-queries.ts'
import { assertRedirect } from './redirect-url.ts'
import type { MemberShown, SignUp } from './schema.ts'
import { type MailRequest, mayMail, requestMail } from './service.ts'
import { type SignIn, signIn } from './sign-in.ts'

/** A sign-up that must be confirmed takes this long at least, so that its time does not tell what it found. */
const CONFIRMED_SIGN_UP_MS = 250

type Outcome = { readonly member: MemberShown; readonly signedIn: SignIn | undefined }

/**
 * Makes a member of whoever asks. Where the project confirms addresses the answer is the same for an address that is
 * taken: its owner gets a mail that says so, and nobody else learns it.
 * @returns the member, and the session where there is one at once
 * @throws ApiError 422 EMAIL_TAKEN where the project does not confirm addresses; VALIDATION_ERROR
 */
export async function signUp(request: FastifyRequest, identity: Identity, input: SignUp): Promise<Outcome> {
  const started = performance.now()
  const { redirect_url, ...person } = input
  const settings = await request.inProject((ctx) => getSettings(ctx))
  const redirectUrl = assertRedirect(redirect_url, settings.allowed_redirect_urls)
  const status = settings.email_confirmation ? 'pending' : 'active'
  const prepared = await prepareMember({ ...person, status }, identity.passwords)
  if (!settings.email_confirmation) return signUpAtOnce(request, prepared)
  const { email } = prepared.row
  const isMailed = await mayMail(identity.limiter, callerOf(request).projectId, email)
  const mail = { purpose: 'email', email, redirectUrl, details: { sign_up: true } } as const
  const member = await signUpPending(request, prepared, isMailed ? mail : undefined, settings.default_plan_id)
  await sleep(Math.max(0, started + CONFIRMED_SIGN_UP_MS - performance.now()))
  return { member, signedIn: undefined }
}

async function signUpAtOnce(request: FastifyRequest, prepared: PreparedMember): Promise<Outcome> {
  const method = { amr: ['password'], device: deviceOf(request) }
  return request.inProject(async (ctx) => {
    await createMember(ctx, prepared)
    const member = await readMember(ctx, prepared.row.id)
    emit(ctx, memberSignedUp, member)
    return { member, signedIn: await signIn(ctx, prepared.row.id, method) }
  })
}

async function signUpPending(
  request: FastifyRequest,
  prepared: PreparedMember,
  mail: MailRequest | undefined,
  planId: string | null,
): Promise<MemberShown> {
  try {
    return await request.inProject(async (ctx) => {
      await createMember(ctx, prepared)
      const member = await readMember(ctx, prepared.row.id)
      emit(ctx, memberSignedUp, member)
      if (mail) requestMail(ctx, mail)
      return member
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'EMAIL_TAKEN')) throw error
    if (mail) await request.inProject(async (ctx) => requestMail(ctx, mail))
    return pretend(prepared, planId ?? newUuid())
  }
}

/** The member that there would be, had the address been free. */
function pretend({ row }: PreparedMember, planId: string): MemberShown {
  const now = new Date().toISOString()
  return {
    id: toId('member', row.id),
    email: row.email,
    full_name: row.full_name,
    status: 'pending',
    plan_id: toId('plan', planId),
    metadata: JSON.parse(row.metadata),
    created_at: now,
    updated_at: now,
    role: row.role,
  }
}
