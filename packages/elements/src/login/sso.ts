import { type Guildhall, GuildhallError, type OfferedSsoConnection } from '../../../sdk/src/guildhall.ts'

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
