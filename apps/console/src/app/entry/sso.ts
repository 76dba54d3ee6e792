import { callConsole } from '../../data/console-api.ts'
import { type Answer, ask } from './ask.ts'

/** A provider that operators log in by. */
export interface Connection {
  readonly id: string
  readonly name: string
  readonly required: boolean
}

const STORED = 'console-sso-verifier'

/** The providers for an address. */
export const connectionsFor = async (email: string): Promise<readonly Connection[]> =>
  (
    await callConsole<{ data: readonly Connection[] }>(
      'GET',
      `/sso/connections?${new URLSearchParams({ email })}`,
      { isSignedIn: false },
    )
  ).data

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Leaves the console for the provider, which leads back to it. */
export async function leaveFor(connection: Connection): Promise<void> {
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const { data } = await ask<{ data: { url: string } }>('/sso/start', {
    connection_id: connection.id,
    redirect_url: `${location.origin}/console`,
    code_challenge: toBase64Url(new Uint8Array(hash)),
  })
  sessionStorage.setItem(STORED, verifier)
  location.assign(data.url)
}

/** What the provider has led back with, or undefined where nobody comes from one. The address forgets it. */
export function comesBack(): (() => Promise<Answer>) | undefined {
  const address = new URL(location.href)
  const code = address.searchParams.get('code')
  const verifier = sessionStorage.getItem(STORED)
  if (code === null || verifier === null) return undefined
  sessionStorage.removeItem(STORED)
  address.searchParams.delete('code')
  history.replaceState(null, '', address)
  return () => ask<Answer>('/sso/exchange', { code, code_verifier: verifier })
}
