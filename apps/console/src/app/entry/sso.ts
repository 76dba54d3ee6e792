import { queryOptions } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { keepVerifier, presentPlace, takeTokenOfLink, takeWhatCameBack } from '../../data/way-back.ts'
import { t } from '../../data/words.ts'
import { type Answer, ask } from './ask.ts'

/** The provider that operators log in by. */
export interface Provider {
  readonly id: string
  readonly name: string
}

/** The provider, or null where the installation has none. */
export const providerQuery = queryOptions({
  queryKey: ['entry'],
  queryFn: async ({ signal }) =>
    (await callConsole<{ data: { sso: Provider | null } }>('GET', '/entry', { signal, isSignedIn: false }))
      .data.sso,
  staleTime: Number.POSITIVE_INFINITY,
})

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/**
 * Leaves the console for the provider, which leads back to the present address.
 * @param reauthenticate whether the provider asks again who is there, unless it has just asked
 */
export async function leaveFor({ id }: Provider, reauthenticate: boolean): Promise<void> {
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const { data } = await ask<{ data: { url: string } }>('/sso/start', {
    ...{ connection_id: id, redirect_url: presentPlace(), reauthenticate },
    code_challenge: toBase64Url(new Uint8Array(hash)),
  })
  keepVerifier(verifier)
  location.assign(data.url)
}

/** What logs in whom a provider or the link of a mail has led here, or undefined where nobody comes from one. */
export function comesBack(): (() => Promise<Answer>) | undefined {
  const token = takeTokenOfLink()
  if (token !== undefined) return () => ask<Answer>('/magic-link/verify', { token })
  const came = takeWhatCameBack()
  if (came === undefined) return undefined
  const { code, error, verifier } = came
  return async () => {
    if (code !== null && verifier !== null)
      return ask<Answer>('/sso/exchange', { code, code_verifier: verifier })
    throw new Error(
      error === null
        ? t('This log-in was begun in another window. Begin it again here.')
        : (reasons()[error] ?? reasons()['provider_error']),
    )
  }
}

const reasons = (): Readonly<Record<string, string>> => ({
  access_denied: t('The provider did not let you in, or the log-in was canceled.'),
  provider_error: t(
    'The provider cannot be reached, or its answer is not valid. Try again, or log in in another way.',
  ),
  connection_disabled: t('This provider was turned off. Log in in another way.'),
  email_missing: t('The provider sends no address of yours. Ask those who run it.'),
  email_not_verified: t('The provider does not say that your address is verified. Ask those who run it.'),
  domain_not_allowed: t('Addresses of this domain cannot log in by this provider.'),
  account_not_verified: t('The address of your account was never confirmed. Log in by mail once.'),
  account_inactive: t('Your account is deactivated.'),
  sign_up_closed: t('There is no account with your address. Ask an operator for an invitation.'),
})
