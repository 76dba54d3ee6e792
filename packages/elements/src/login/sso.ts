import { type Guildhall, GuildhallError, type OfferedSsoConnection } from '../../../sdk/src/guildhall.ts'
import { challengeFor } from './browser-proof.ts'

/** The connections for an address, or for everybody. Where too many ask for them, the other ways in are shown all the same. */
export async function offeredTo(
  open: Guildhall,
  query: { readonly email?: string },
  signal: AbortSignal,
): Promise<OfferedSsoConnection[]> {
  try {
    return await open.auth.sso.connections.list(query, { signal })
  } catch (error) {
    if (error instanceof GuildhallError && (error.status === 429 || query.email !== undefined)) return []
    throw error
  }
}

/** Begins a log-in by an organization. @param redirect where the browser comes back to. @returns where it goes */
export async function startSso(open: Guildhall, id: string, redirect: string): Promise<string> {
  const challenge = (await challengeFor('sso')) ?? ''
  const asked = { connection_id: id, redirect_url: redirect, code_challenge: challenge }
  return (await open.auth.sso.start(asked)).url
}
