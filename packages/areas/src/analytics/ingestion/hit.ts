import type { Day } from '../calendar.ts'

/** An event as it is stored. Without a name it is a page view. */
export interface Hit {
  readonly id: string
  readonly at: Date
  readonly received_at: Date
  readonly name: string | null
  readonly visitor: string
  readonly bot: boolean
  readonly member_id: string | null
  readonly session_id: string | null
  readonly host: string | null
  readonly path: string | null
  readonly title: string | null
  readonly referrer: string | null
  readonly source: string
  readonly channel: string
  readonly utm_source: string | null
  readonly utm_medium: string | null
  readonly utm_campaign: string | null
  readonly utm_term: string | null
  readonly utm_content: string | null
  readonly country: string | null
  readonly device: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly screen: string | null
  /** As JSON. */
  readonly properties: string | null
  /** Made of the id that the event brought along, by which it is stored once. */
  readonly event_key: string | null
  /** The project's day that it belongs to. */
  readonly day: Day
}

/** What became of an event. */
export type Outcome = 'accepted' | 'duplicate' | 'unknown_member' | 'pending_member'
