import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { PreparedMember } from '#areas/members/service.ts'
import { ApiError } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import type { MemberShown, SignUp } from '../schema.ts'
import {
  CONFIRMED_SIGN_UP_MS,
  joinMember,
  type PreparedSignUp,
  prepareSignUp,
  requestMail,
  type SignUpDeps,
} from '../service.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { type SignIn, signIn } from '../sessions/sign-in.ts'

type Outcome = { readonly member: MemberShown; readonly signedIn: SignIn | undefined }

/**
 * Makes a member of whoever asks. Where the project confirms addresses the answer is the same for an address that is
 * taken: its owner gets a mail that says so, and nobody else learns it.
 * @returns the member, and the session where there is one at once
 * @throws ApiError 422 EMAIL_TAKEN where the project does not confirm addresses; VALIDATION_ERROR
 */
export async function signUp(request: FastifyRequest, deps: SignUpDeps, input: SignUp): Promise<Outcome> {
  const started = performance.now()
  const prepared = await prepareSignUp(request, deps, callerOf(request).projectId, input)
  if (!prepared.isConfirmed) return signUpAtOnce(request, prepared)
  const member = await signUpPending(request, prepared)
  await sleep(Math.max(0, started + CONFIRMED_SIGN_UP_MS - performance.now()))
  return { member, signedIn: undefined }
}

async function signUpAtOnce(request: FastifyRequest, signUp: PreparedSignUp): Promise<Outcome> {
  const method = { amr: ['password'], device: deviceOf(request) }
  return request.write(async (ctx) => {
    const member = await joinMember(ctx, signUp)
    return { member, signedIn: await signIn(ctx, signUp.prepared.row.id, method) }
  })
}

async function signUpPending(request: FastifyRequest, signUp: PreparedSignUp): Promise<MemberShown> {
  try {
    return await request.write((ctx) => joinMember(ctx, signUp))
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'EMAIL_TAKEN')) throw error
    const { mail, prepared, defaultPlanId } = signUp
    const now = await request.write((ctx) => {
      if (mail) requestMail(ctx, mail)
      return projectNow(ctx)
    })
    return pretend(prepared, defaultPlanId ?? newUuid(), now)
  }
}

/** The member that there would be, had the address been free. */
function pretend({ row }: PreparedMember, planId: string, now: string): MemberShown {
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
