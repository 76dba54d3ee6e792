// Where an operator goes on after a log-in that left the console, or that came from another page of it.

const STORED = 'console-sso-verifier'
/** The page on which an operator lets a program log in. It has no log-in of its own. */
const DEVICE_PAGE = '/console/api/device'

/** Keeps in this tab what proves that the log-in which comes back was begun here. */
export const keepVerifier = (verifier: string): void => sessionStorage.setItem(STORED, verifier)

/** Whether a provider has just led this tab back to the console. */
export function comesFromProvider(): boolean {
  const parameters = new URLSearchParams(location.search)
  return sessionStorage.getItem(STORED) !== null && (parameters.has('code') || parameters.has('error'))
}

/** What a provider has led back with; the address and this tab forget it. */
export interface CameBack {
  readonly code: string | null
  /** One word, such as `access_denied`. */
  readonly error: string | null
  /** Null where the log-in was begun in another tab, or by somebody else. */
  readonly verifier: string | null
}

/** @returns undefined where nobody comes from a provider */
export function takeWhatCameBack(): CameBack | undefined {
  const address = new URL(location.href)
  const verifier = sessionStorage.getItem(STORED)
  const [code, error] = [address.searchParams.get('code'), address.searchParams.get('error')]
  if (code === null && (error === null || verifier === null)) return undefined
  sessionStorage.removeItem(STORED)
  for (const name of ['code', 'error']) address.searchParams.delete(name)
  history.replaceState(null, '', address)
  return { code, error, verifier }
}

/** The token of a mail's link that led here, once; the address forgets it. */
export function takeTokenOfLink(): string | undefined {
  const address = new URL(location.href)
  const token = address.searchParams.get('token')
  if (token === null) return undefined
  address.searchParams.delete('token')
  history.replaceState(null, '', address)
  return token
}

/** The present address, as a provider may lead back to it. */
export function presentPlace(): string {
  const { origin, pathname, searchParams } = new URL(location.href)
  for (const name of ['code', 'error', 'token']) searchParams.delete(name)
  // Such paths are read differently by different programs, so the API refuses them.
  const path = /\/\/|%2f|%5c|%00/i.test(pathname) ? '/console' : pathname.replace(/\/$/, '')
  return `${origin}${path}${searchParams.size === 0 ? '' : `?${searchParams}`}`
}

/** Leads to the page of programs that wait to be logged in, where the operator came from it. @returns whether it does */
export function goesBackToDevice(): boolean {
  const parameters = new URLSearchParams(location.search)
  if (parameters.get('back') !== 'device') return false
  const code = parameters.get('user_code')
  location.assign(code === null ? DEVICE_PAGE : `${DEVICE_PAGE}?${new URLSearchParams({ user_code: code })}`)
  return true
}
