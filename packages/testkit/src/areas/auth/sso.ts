import { createHash, randomBytes } from 'node:crypto'
import type { Answer, TestApi } from '../../api.ts'
import type { Side } from '../../factories.ts'

/** What an exchange answers. */
export interface Exchanged {
  readonly code?: string
  readonly member: { id: string; email: string; full_name: string; status: string }
  readonly session: { access_token: string; refresh_token: string }
}

/** A site that lets people in by single sign-on. */
export interface SsoSite {
  /** Begins a login. @returns where to send the browser, and what the site keeps */
  begin(connectionId: string): Promise<{ url: string; verifier: string }>
  /** Goes where a provider sends the browser. @returns the parameters that it comes back to the site with */
  ssoCallback(url: string): Promise<URLSearchParams>
  /** Takes the session. */
  exchange(code: string | null, verifier: string): Promise<Answer<Exchanged>>
}

export const newVerifier = () => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** @param home where browsers come back to: the project allows it */
export function ssoSite(api: TestApi, side: Side, home: string): SsoSite {
  return {
    begin: async (connectionId) => {
      const verifier = newVerifier()
      const { status, body } = await side.admin.post<{ data: { url: string } }>('/auth/sso/start', {
        connection_id: connectionId,
        redirect_url: home,
        code_challenge: challengeOf(verifier),
      })
      if (status !== 200) throw new Error(`no login begins: ${JSON.stringify(body)}`)
      return { url: body.data.url, verifier }
    },
    ssoCallback: async (url) => {
      const { pathname, search } = new URL(url)
      return parametersOf(home, await api.send('GET', pathname + search))
    },
    exchange: (code, verifier) => side.admin.post('/auth/sso/exchange', { code, code_verifier: verifier }),
  }
}

/** What an answer that leads back to the site brings along. @throws Error where it does not lead there */
export function parametersOf(home: string, { status, headers, body }: Answer): URLSearchParams {
  const location = headers['location'] ?? ''
  if (status !== 303 || !location.startsWith(home))
    throw new Error(`leads not back to the site: ${status} ${location} ${JSON.stringify(body)}`)
  return new URL(location).searchParams
}
