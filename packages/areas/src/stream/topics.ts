import { patternsOf } from '#areas/events/service.ts'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { type Asker, assertKey, assertMay, type Topic } from '#platform/catalogue/topic.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { ApiError, type FieldFault } from '#platform/errors.ts'

/** What a stream listens to. */
export interface OpenedTopics {
  /** `discussion:<stored id>`. */
  readonly topics: readonly string[]
  /** Patterns of events that are sent as webhooks send them. */
  readonly patterns: readonly string[]
}

/** The most topics of one stream. */
export const MOST_TOPICS = 20

/** The topic of keys: all events of the project, or those of a type or a group. */
export const EVENTS = 'events'

/**
 * Opens topics for somebody. A topic that may not be read is a fault, the same as a missing one.
 * @throws ApiError 403 where a key lacks a permission, or a member asks for what is for keys alone
 */
export async function openTopics(
  catalogue: Catalogue,
  data: ProjectData,
  asker: Asker,
  texts: readonly string[],
): Promise<{ opened: OpenedTopics; faults: readonly FieldFault[] }> {
  const known = Map.groupBy(
    catalogue.topics.flatMap(({ topics }) => topics),
    ({ name }) => name,
  )
  const faults: FieldFault[] = []
  const topics = new Set<string>()
  const patterns = new Set<string>()
  const open = async (text: string, field: string) => {
    const colon = text.indexOf(':')
    const name = colon === -1 ? text : text.slice(0, colon)
    const of = colon === -1 ? undefined : text.slice(colon + 1)
    if (name === EVENTS) {
      assertKey(asker, 'The events of a project')
      assertMay(asker, 'admin')
      const pattern = patternOf(of, catalogue)
      if (pattern === undefined) faults.push({ field, rule: 'event', message: NO_EVENT })
      else patterns.add(pattern)
      return
    }
    const sharing = (known.get(name) ?? []).filter((topic) => (topic.of === undefined) === (of === undefined))
    if (sharing.length === 0) {
      const all = new Set([...known.values()].flat().map(named))
      faults.push({ field, rule: 'topic', message: `is no topic: send ${[...all].join(', ')}` })
      return
    }
    // Topics of one name are of ids that differ.
    let key: string | undefined
    for (const topic of sharing) key ??= await orNothing(topic.open(data, asker, of ?? ''))
    if (key === undefined) faults.push({ field, rule: 'exists', message: 'names nothing that you may read' })
    else topics.add(`${name}:${key}`)
  }
  for (const [i, text] of texts.entries()) await open(text, `topics[${i}]`)
  return { opened: { topics: [...topics], patterns: [...patterns] }, faults }
}

/** How a topic is written. */
export const named = ({ name, of }: Topic): string => (of === undefined ? name : `${name}:${of}`)

const NO_EVENT = 'matches no event type; see GET /api/v1/webhooks/event-types'

/** The pattern behind `events:`, or undefined where it matches nothing. */
function patternOf(of: string | undefined, { events }: Catalogue): string | undefined {
  if (of === undefined) return '*'
  return [...events.keys()].some((type) => patternsOf(type).includes(of)) ? of : undefined
}

/** Undefined for what is missing. */
const orNothing = (key: Promise<string>): Promise<string | undefined> =>
  key.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
