import { define } from './base/element.ts'
import { GuildhallComments } from './comments/comments.ts'

export { type Connection, configure, connect, type Settings } from './base/connection.ts'
export type { GuildhallEvents } from './base/events.ts'
export { GuildhallComments }

define('guildhall-comments', GuildhallComments)

declare global {
  interface HTMLElementTagNameMap {
    'guildhall-comments': GuildhallComments
  }
}
