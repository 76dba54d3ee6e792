import type { Texts } from '../base/texts.ts'
import type { CommentsKey } from './texts.en.ts'

export const texts: Texts<CommentsKey> = {
  title: 'Kommentare',
  empty: 'Noch hat niemand etwas geschrieben.',
  write: 'Ihr Kommentar',
  reply: 'Antworten',
  replyTo: '{name} antworten',
  answer: 'Ihre Antwort an {name}',
  send: 'Absenden',
  files: 'Dateien',
  filesHelp: 'Bilder und Dokumente, je bis 25 MiB',
  like: 'Gefällt mir',
  likes: 'Der Kommentar von {name} gefällt mir, {n} Personen gefällt er',
  member: 'Mitglied',
  removed: 'Dieser Kommentar wurde entfernt.',
  pending: 'Vielen Dank! Ihr Kommentar wird zuerst geprüft.',
  edited: 'bearbeitet',
  locked: 'Diese Diskussion ist geschlossen.',
  logInToWrite: 'Melden Sie sich an, um zu schreiben und zu bewerten.',
  logIn: 'Anmelden',
  arrived: 'Neuer Kommentar von {name}',
  noThread: 'Dieses Element kennt seine Diskussion nicht. Setzen Sie das Attribut „thread“.',
}
