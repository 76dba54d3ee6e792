/**
 * Binds a log-in that leaves the page to this browser (PKCE): a link that somebody else asked for logs nobody in here, and a link
 * that somebody else reads logs nobody in there.
 */

/** Where the proof is kept: a link in a mail opens another tab, a provider comes back to this one. */
export type Way = 'mail' | 'sso'

/** Where a browser forbids its storage, a proof lives as long as the page. */
const memory = new Map<string, string>()
const nameOf = (way: Way) => `guildhall.proof.${way}`

/** The proof for a way in, the same until it is used. @returns its challenge, for the API; undefined on pages without TLS */
export async function challengeFor(way: Way): Promise<string | undefined> {
  if (crypto.subtle === undefined) return undefined
  const verifier = read(way) ?? base64url(crypto.getRandomValues(new Uint8Array(32)))
  keep(way, verifier)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url(new Uint8Array(hash))
}

/** The proof that was made for a way in. */
export const verifierOf = (way: Way): string | undefined => read(way)

/** Forgets a proof that was used. */
export function forgetProof(way: Way): void {
  memory.delete(nameOf(way))
  try {
    localStorage.removeItem(nameOf(way))
  } catch {
    // The browser forbids it, so nothing is there.
  }
}

function read(way: Way): string | undefined {
  try {
    return localStorage.getItem(nameOf(way)) ?? memory.get(nameOf(way))
  } catch {
    return memory.get(nameOf(way))
  }
}

function keep(way: Way, verifier: string): void {
  memory.set(nameOf(way), verifier)
  try {
    localStorage.setItem(nameOf(way), verifier)
  } catch {
    // It is in the memory.
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** What a page was opened with, by a link of a mail or by an organization. It is taken out of the address at once. */
export function takeReturn(): { readonly token?: string; readonly code?: string; readonly error?: string } {
  const url = new URL(location.href)
  const { searchParams: given } = url
  const token = given.get('token') ?? ''
  const isMail = /^[\w-]{64}$/.test(token)
  // Other scripts use these names too: they are ours only where this browser has begun a log-in.
  const isSso = !isMail && read('sso') !== undefined && (given.has('code') || given.has('error'))
  if (!isMail && !isSso) return {}
  const [code, error] = [given.get('code'), given.get('error')]
  for (const name of ['token', 'code', 'error', 'error_description']) given.delete(name)
  history.replaceState(history.state, '', url)
  if (isMail) return { token }
  return code === null ? { error: error ?? '' } : { code }
}
