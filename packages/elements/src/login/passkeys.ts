import type { Guildhall, LogInResponse } from '../../../sdk/src/guildhall.ts'

/**
 * Logs in by a passkey, or uses one as the second factor of a log-in.
 * @throws DOMException where the person has stopped it, GuildhallError
 */
export async function logInByPasskey(
  open: Guildhall,
  mfaToken: string | undefined,
  signal: AbortSignal,
): Promise<LogInResponse> {
  const options = await open.auth.passkeys.beginLogin({}, { signal })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = (await navigator.credentials.get({ publicKey, signal })) as PublicKeyCredential
  return open.auth.passkeys.login({
    credential: credential.toJSON() as Parameters<typeof open.auth.passkeys.login>[0]['credential'],
    mfa_token: mfaToken,
  })
}
