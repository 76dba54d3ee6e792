import { define } from './base/element.ts'
import { GuildhallForm } from './form/form-element.ts'

export { type Connection, configure, connect, type Settings } from './base/connection.ts'
export type { GuildhallEvents } from './base/events.ts'
export { GuildhallForm }

define('guildhall-form', GuildhallForm)

declare global {
  interface HTMLElementTagNameMap {
    'guildhall-form': GuildhallForm
  }
}
