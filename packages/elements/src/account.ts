import { GuildhallAccount } from './account/account.ts'
import { define } from './base/element.ts'

export { type Connection, configure, connect, type Settings } from './base/connection.ts'
export type { GuildhallEvents } from './base/events.ts'
export { GuildhallAccount }

define('guildhall-account', GuildhallAccount)

declare global {
  interface HTMLElementTagNameMap {
    'guildhall-account': GuildhallAccount
  }
}
