import { type Answer, ask } from './ask.ts'

interface RequestOptions {
  readonly rpId: string
  readonly challenge: string
  readonly timeout: number
  readonly userVerification: UserVerificationRequirement
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Whether this browser has passkeys at all. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** Logs in by a passkey of this device. @throws Error of the browser, where nobody was chosen */
export async function enterByPasskey(): Promise<Answer> {
  const { challenge, ...options } = (
    await ask<{ data: RequestOptions }>('/passkeys/login/options', { rp_id: location.hostname })
  ).data
  const credential = (await navigator.credentials.get({
    publicKey: { ...options, challenge: fromBase64Url(challenge) },
  })) as PublicKeyCredential
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse
  return ask<Answer>('/passkeys/login', {
    credential: {
      ...{ id: credential.id, rawId: toBase64Url(credential.rawId), type: 'public-key' },
      clientExtensionResults: {},
      response: {
        clientDataJSON: toBase64Url(clientDataJSON),
        authenticatorData: toBase64Url(authenticatorData),
        signature: toBase64Url(signature),
        ...(userHandle && { userHandle: toBase64Url(userHandle) }),
      },
    },
  })
}
