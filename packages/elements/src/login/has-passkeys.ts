/** Whether this browser can use passkeys in the form in which the API describes them. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
