import type { Context } from '#platform/db/tenant.ts'
import { lockActiveMember } from '../member-queries.ts'
import { touchSession } from '../sessions/queries.ts'
import { type Device, endSession, startSession } from '../sessions/sessions.ts'

// The sessions of programs that an operator has approved. They have no refresh token of the console, so nothing that a program keeps
// opens the console itself.

/** Starts one. @returns its stored id, or undefined where the operator is not active any more */
export async function openDeviceSession(
  ctx: Context,
  operatorId: string,
  device: Device,
): Promise<string | undefined> {
  const locked = await lockActiveMember(ctx, { id: operatorId })
  return locked && startSession(ctx, { memberId: operatorId, aal: 'aal1', amr: ['device'], device })
}

/** Stores the last use of a session. A session that is not used ends, like every other one. */
export const extendDeviceSession = (ctx: Context, id: string, { ip, userAgent }: Device) =>
  touchSession(ctx, { id, ip, user_agent: userAgent })

/** Ends one at the wish of its program. @returns whether it was open */
export const endDeviceSession = (ctx: Context, operatorId: string, id: string): Promise<boolean> =>
  endSession(ctx, operatorId, id, 'logout')
