import type { Viewer } from '../actor.ts'
import type { Config } from '../config.ts'
import type { ProjectData } from '../db/tenant.ts'
import { forbidden } from '../errors.ts'
import type { Notice } from '../events/notify-streams.ts'
import type { Permission } from '../keys/permissions.ts'

// What streams can be opened for. Areas declare topics beside what they are about, so that the same gates decide; the
// area of the stream knows none of them.

/** Who wants to listen. */
export interface Asker {
  readonly viewer: Viewer
  /** The permissions of the secret key; `admin` for a member's own token, which the gates alone decide about. */
  readonly permissions: readonly string[]
}

/** @throws ApiError 403 where a key lacks a permission */
export function assertMay({ permissions }: Asker, permission: Permission): void {
  if (!permissions.includes(permission) && !permissions.includes('admin'))
    throw forbidden(`This key lacks the permission ${permission}`)
}

/** @throws ApiError 403 for members */
export function assertKey({ viewer }: Asker, what: string): void {
  if (!viewer.isKey) throw forbidden(`${what} are for secret keys that name no member`)
}

/** Something that streams listen to: `discussion:ID`. */
export interface Topic {
  /** What stands before the colon. */
  readonly name: string
  /** What stands behind the colon, in words such as `ID`; undefined where nothing does. */
  readonly of?: string
  /** Who may listen, and what is published. One sentence. */
  readonly description: string
  /** A whole topic, such as `discussion:disc_…`. */
  readonly example: string
  /**
   * What is listened to, if the asker may.
   * @param of what stands behind the colon
   * @returns the key of the topic: the stored id of what it is about
   * @throws ApiError 403 or 404
   */
  open(data: ProjectData, asker: Asker, of: string): Promise<string>
}

/** Something that happened, as the log of the stream has it. */
export interface Logged {
  readonly position: number
  /** The stored id of the event, or of the notice. */
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  /** The stored id of what a notice is about. */
  readonly subject_id: string | null
  /** Of an event's data: public ids of what it is about, and of what that belongs to. */
  readonly about: {
    readonly id: string | null
    readonly discussion_id: string | null
    readonly feedback_id: string | null
  }
}

/** What is published to those who listen to a topic. */
export interface Publication {
  /** The topics: `discussion:<stored id>`. */
  readonly topics: readonly string[]
  /** What a GET would show at this moment, or ids alone. */
  readonly data: object
  /** The stored id of the author of a post that `data` shows: it is folded for members who have muted the author. */
  readonly author?: string
  /** Whether a viewer may get it, as things are now; everybody who listens where it is left out. */
  readonly mayKnow?: (viewer: Viewer) => boolean
}

/** The topics to which somebody listens. */
export interface OpenTopics {
  /** @param topic such as `discussion:<stored id>` */
  has(topic: string): boolean
  /** The keys of all topics of a name to which somebody listens. */
  keysOf(name: string): readonly string[]
}

export interface TopicParts {
  readonly config: Config
}

/** Topics to which the same events are published. */
export interface TopicGroup {
  readonly topics: readonly Topic[]
  /** The names of the events. */
  readonly events: readonly string[]
  /** What only streams get. */
  readonly notices?: readonly Notice[]
  /**
   * What is published of each, by its id. It is read now: what was changed, hidden or deleted since is not shown. What concerns nobody
   * who listens may be left out.
   */
  publish(
    logged: readonly Logged[],
    reading: { readonly data: ProjectData; readonly open: OpenTopics; readonly parts: TopicParts },
  ): Promise<ReadonlyMap<string, Publication>>
}
