import { t } from './words.ts'

const names = (): Readonly<Record<string, string>> => ({
  password: t('Password'),
  passkey: t('Passkey'),
  email: t('Mail'),
  magic_link: t('Link in a mail'),
  totp: t('Authenticator app'),
  recovery_code: t('Recovery code'),
  sso: t('Single sign-on'),
  operator: t('An operator'),
})

/** How somebody has logged in, such as "Password, Authenticator app". @param amr the methods as the API names them */
export const waysInWords = (amr: readonly string[]): string =>
  amr.map((way) => names()[way] ?? way.replaceAll('_', ' ')).join(', ')
