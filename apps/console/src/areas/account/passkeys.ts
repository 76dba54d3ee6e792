import { callOwn } from './queries.ts'

/** Whether this browser has passkeys. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** Makes a passkey on this device, and adds it to the account. @throws ConsoleError, or a DOMException where it was not made */
export async function addPasskey(name: string): Promise<void> {
  const { data } = await callOwn<{ data: PublicKeyCredentialCreationOptionsJSON }>(
    'POST',
    '/passkeys/options',
    {},
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await callOwn('POST', '/passkeys/register', { name, credential: made.toJSON() })
}
