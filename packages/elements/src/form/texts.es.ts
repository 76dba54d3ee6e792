import type { Texts } from '../base/texts.ts'
import type { FormKey } from './texts.en.ts'

export const texts: Texts<FormKey> = {
  send: 'Enviar',
  thanks: '¡Gracias! Lo hemos recibido.',
  changed:
    'Este formulario cambió mientras lo rellenaba. Lo que escribió se conserva: revíselo y envíelo de nuevo.',
  closed: 'Este formulario no admite respuestas por el momento.',
  choose: 'Elija una opción',
  stars: '{n} de {max}',
  oneMore: 'Rellenar el formulario otra vez',
  noForm: 'Este elemento no conoce su formulario. Indique el atributo «form».',
}
