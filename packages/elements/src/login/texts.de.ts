import type { Texts } from '../base/texts.ts'
import type { LoginKey } from './texts.en.ts'

export const texts: Texts<LoginKey> = {
  title: 'Anmelden',
  address: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHelp: 'Mindestens 10 Zeichen',
  fullName: 'Name',
  logIn: 'Anmelden',
  forgot: 'Passwort vergessen?',
  or: 'oder',
  sendLink: 'Link per E-Mail zuschicken lassen',
  linkTitle: 'Per E-Mail anmelden',
  linkHelp: 'Wir schicken Ihnen eine E-Mail mit einem Link und einem Code. Sie brauchen kein Passwort.',
  send: 'E-Mail senden',
  passkey: 'Passkey verwenden',
  passkeyStopped:
    'Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  sso: 'Weiter mit {name}',
  ssoTitle: 'Über Ihre Organisation anmelden',
  ssoFailed:
    'Die Anmeldung über Ihre Organisation ist nicht gelungen ({reason}). Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  noAccount: 'Noch kein Konto?',
  signUp: 'Registrieren',
  signUpTitle: 'Konto anlegen',
  haveAccount: 'Sie haben schon ein Konto?',
  yourLink:
    'Sie haben einen Link geöffnet, der Sie anmeldet. Fahren Sie nur fort, wenn die E-Mail damit für Sie war.',
  back: 'Zurück zur Anmeldung',
  codeTitle: 'Sehen Sie in Ihr Postfach',
  codeHelp:
    'Wenn die Adresse verwendet werden kann, ist eine E-Mail an {email} unterwegs. Öffnen Sie den Link darin, oder geben Sie den Code daraus ein.',
  code: 'Code aus 6 Ziffern',
  confirm: 'Weiter',
  again: 'Neue E-Mail senden',
  sentAgain: 'Eine neue E-Mail ist unterwegs.',
  forgotTitle: 'Neues Passwort festlegen',
  forgotHelp:
    'Wir schicken Ihnen eine E-Mail mit einem Code und einem Link, um ein neues Passwort festzulegen.',
  setPassword: 'Passwort festlegen und anmelden',
  mfaTitle: 'Noch ein Schritt',
  mfaHelp: 'Geben Sie den Code ein, den Ihre Authenticator-App jetzt zeigt.',
  mfaCode: 'Code der App',
  useRecovery: 'Wiederherstellungscode verwenden',
  recoveryCode: 'Wiederherstellungscode',
  recoveryHelp: 'Jeder Ihrer Wiederherstellungscodes funktioniert einmal.',
  useApp: 'Authenticator-App verwenden',
  noPassword: 'Sie haben noch kein Passwort. Mit „Passwort vergessen?“ können Sie eines festlegen.',
  loggedIn: 'Sie sind angemeldet',
  as: 'Als {email}',
  logOut: 'Abmelden',
}
