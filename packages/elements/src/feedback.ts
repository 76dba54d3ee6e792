import { define } from './base/element.ts'
import { GuildhallFeedback } from './feedback/feedback.ts'

export { type Connection, configure, connect, type Settings } from './base/connection.ts'
export type { GuildhallEvents } from './base/events.ts'
export { GuildhallFeedback }

define('guildhall-feedback', GuildhallFeedback)

declare global {
  interface HTMLElementTagNameMap {
    'guildhall-feedback': GuildhallFeedback
  }
}
