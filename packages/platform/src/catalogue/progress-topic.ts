import type { Ask } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import type { Notice } from '../events/notify-streams.ts'
import { type IdType, idFromPath, parseId } from '../ids.ts'
import type { Permission } from '../keys/permissions.ts'
import { assertKey, assertMay, type Publication, type TopicGroup } from './topic.ts'

/** Work in the background that keys can follow, such as imports of one kind. */
interface Followed<Row> {
  /** `import`: several kinds of work may share it, if their ids differ. */
  readonly topic: string
  /** Of the ids that the topic takes. */
  readonly id: IdType
  readonly description: string
  readonly example: string
  /** The events of its end. */
  readonly events: readonly { readonly name: string }[]
  readonly progressed: Notice
  find(v: { readonly id: string }): Ask<Row | undefined>
  /** What a key needs to follow it. */
  permissionOf(row: Row): Permission
  /** What is published. */
  show(row: Row): object
}

/** A topic of such work, for keys: what a GET of it would show, as it goes on and when it ends. */
export function progressTopic<Row>(work: Followed<Row>): TopicGroup {
  const { topic, id: idType, description, example, events, progressed, find, permissionOf, show } = work
  return {
    topics: [
      {
        ...{ name: topic, of: 'ID', description, example },
        open: async (data, asker, of) => {
          assertKey(asker, `${idType.name}s`)
          const id = idFromPath(idType, of)
          const { row } = await data.read({ row: find({ id }) })
          if (row === undefined) throw notFound(idType.name)
          assertMay(asker, permissionOf(row))
          return id
        },
      },
    ],
    events: events.map(({ name }) => name),
    notices: [progressed],
    publish: async (logged, { data, open }) => {
      const publications = new Map<string, Publication>()
      const byWork = Map.groupBy(
        logged,
        ({ about, subject_id }) => subject_id ?? parseId(idType, about.id ?? ''),
      )
      for (const [id, some] of byWork) {
        if (id === undefined || !open.has(`${topic}:${id}`)) continue
        const { row } = await data.read({ row: find({ id }) })
        if (row === undefined) continue
        const shown = { topics: [`${topic}:${id}`], data: show(row) }
        for (const each of some) publications.set(each.id, shown)
      }
      return publications
    },
  }
}
