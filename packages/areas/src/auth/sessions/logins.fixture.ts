import type { Side } from '#testkit/factories.ts'

export const PASSWORD = 'correct horse battery'

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
}
export interface SignedIn {
  member: { id: string; email: string; status: string }
  session: Tokens
  code?: string
}

/** Logs a member in by password. */
export const logInTo = (side: Side, email: string, password = PASSWORD) =>
  side.admin.post<SignedIn>('/auth/login', { email, password })

/** A new member who has logged in by password. */
export async function newSessionOf(side: Side): Promise<SignedIn> {
  const { email } = await side.makeMember({ password: PASSWORD })
  return (await logInTo(side, email)).body
}
