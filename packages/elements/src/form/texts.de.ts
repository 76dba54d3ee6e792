import type { Texts } from '../base/texts.ts'
import type { FormKey } from './texts.en.ts'

export const texts: Texts<FormKey> = {
  send: 'Absenden',
  thanks: 'Vielen Dank! Wir haben es erhalten.',
  changed:
    'Dieses Formular wurde geändert, während Sie es ausgefüllt haben. Ihre Eingaben sind noch da: Bitte prüfen Sie sie und senden Sie sie noch einmal ab.',
  closed: 'Dieses Formular nimmt zurzeit nichts an.',
  choose: 'Bitte wählen',
  stars: '{n} von {max}',
  oneMore: 'Formular noch einmal ausfüllen',
  noForm: 'Dieses Element kennt sein Formular nicht. Setzen Sie das Attribut „form“.',
}
