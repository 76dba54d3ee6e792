import type { CommonKey } from './common.en.ts'
import type { Texts } from './texts.ts'

export const texts: Texts<CommonKey> = {
  loading: 'Wird geladen …',
  notConfigured: 'Dieses Element kennt seine API nicht. Setzen Sie die Attribute „api“ und „key“.',
  tryAgain: 'Noch einmal versuchen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  more: 'Mehr anzeigen',
  optional: 'freiwillig',
  required: 'Bitte füllen Sie dieses Feld aus.',
  email: 'Bitte geben Sie eine Adresse wie name@example.com ein.',
  url: 'Bitte geben Sie eine Adresse wie https://example.com ein.',
  number: 'Bitte geben Sie eine Zahl ein.',
  tooShort: 'Es sind mindestens {min} Zeichen nötig.',
  tooLong: 'Es sind höchstens {max} Zeichen erlaubt.',
  tooLow: 'Mindestens {min}.',
  tooHigh: 'Höchstens {max}.',
  commonPassword: 'Dieses Passwort ist zu verbreitet. Bitte wählen Sie ein anderes.',
  pattern: 'Das hat nicht die erwartete Form.',
  fileType: 'Dateien dieser Art werden nicht angenommen.',
  fileSize: 'Die Datei darf höchstens {max} MiB haben.',
  faults: 'Bitte prüfen Sie die markierten Felder.',
  NO_ANSWER: 'Es kommt keine Antwort. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  RATE_LIMITED: 'Das war zu oft. Versuchen Sie es in {seconds} Sekunden noch einmal.',
  SERVER_FAULT:
    'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es später noch einmal. Nummer für den Support: {id}',
  CHANGED_MEANWHILE:
    'Das wurde inzwischen geändert und wird neu angezeigt. Bitte prüfen Sie es und versuchen Sie es noch einmal.',
  INVALID_TOKEN: 'Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich noch einmal an.',
  INSUFFICIENT_PERMISSIONS: 'Das dürfen Sie nicht.',
  INVALID_CREDENTIALS: 'Die Adresse oder das Passwort ist falsch.',
  INVALID_CODE: 'Dieser Code ist falsch oder abgelaufen. Verwenden Sie den neuesten.',
  INVALID_LINK:
    'Dieser Link wurde schon benutzt, ist abgelaufen oder wurde in einem anderen Browser angefordert.',
  EMAIL_TAKEN: 'Diese Adresse wird schon verwendet.',
  EMAIL_NOT_VERIFIED: 'Diese Adresse ist noch nicht bestätigt. Wir haben dafür eine E-Mail geschickt.',
  ACCOUNT_PENDING: 'Dieses Konto muss noch freigegeben werden.',
  ACCOUNT_DELETED: 'Dieses Konto wurde gelöscht.',
  SSO_REQUIRED: 'Mit dieser Adresse meldet man sich über die eigene Organisation an.',
  INVALID_PASSKEY: 'Dieser Passkey ist hier nicht bekannt. Melden Sie sich anders an.',
  MFA_REQUIRED:
    'Dafür müssen Sie sich mit Ihrem zweiten Faktor anmelden: Melden Sie sich ab und mit ihm wieder an.',
  RECENT_LOGIN_REQUIRED:
    'Weisen Sie sich aus: Melden Sie sich ab und wieder an, und wiederholen Sie das innerhalb von 10 Minuten.',
  MEMBER_SUSPENDED: 'Sie können hier zurzeit nichts schreiben.',
}
