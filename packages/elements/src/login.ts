import { define } from './base/element.ts'
import { GuildhallLogin } from './login/login.ts'

export { type Connection, configure, connect, type Settings } from './base/connection.ts'
export type { GuildhallEvents } from './base/events.ts'
export { GuildhallLogin }

define('guildhall-login', GuildhallLogin)

declare global {
  interface HTMLElementTagNameMap {
    'guildhall-login': GuildhallLogin
  }
}
