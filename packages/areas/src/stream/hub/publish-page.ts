import { folded, mutesAmong } from '#areas/moderation/service.ts'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import type { Logged, Publication, TopicParts } from '#platform/catalogue/topic.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { KEY, type Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { type LogRow, waitForDisk } from '../queries.ts'
import type { Audience } from './audience.ts'
import type { OpenStream } from './open-stream.ts'
import { viewersOf } from './standing.ts'

export interface PublishParts extends TopicParts {
  readonly catalogue: Catalogue
}

/** What streams are to be sent, in the order of the log. */
export type Sendings = ReadonlyMap<OpenStream, readonly Buffer[]>

/**
 * Prepares what streams are sent of some rows of the log. All that is shown is read now, once for all streams, and everybody is judged
 * by what they may read now. Nothing is sent here, so that a page whose reading fails can be prepared again.
 */
export async function publishPage(
  parts: PublishParts,
  data: ProjectData,
  rows: readonly LogRow[],
  audience: Audience,
): Promise<Sendings> {
  const publishing = publicationsOf(parts, data, rows, audience)
  const [publications] = await Promise.all([publishing, data.write(waitForDisk())])
  const viewers = await viewersOf(data, whoIsJudged(publications, audience))
  const isMuted = await mutesOf(data, publications, audience)
  const sendings = new Map<OpenStream, Buffer[]>()
  const send = (stream: OpenStream, { position }: LogRow, text: Buffer) => {
    // Another process may have sent its client more than this one has read.
    if (position <= stream.position) return
    const before = sendings.get(stream)
    if (before === undefined) sendings.set(stream, [text])
    else before.push(text)
  }
  for (const row of rows) {
    // Who gets the event as webhooks do gets it once.
    const subscribed = row.payload === null ? undefined : audience.subscribedTo(row.type)
    if (subscribed !== undefined && subscribed.size > 0) {
      const payload = (row.payload as string).replace(/[\r\n]+/g, ' ')
      const text = toText(row, `${payload},"event_id":"${toId('event', row.id)}"`)
      for (const stream of subscribed) send(stream, row, text)
    }
    const shown = publications.get(row.id)
    if (shown === undefined) continue
    let text: Buffer | undefined
    let foldedText: Buffer | undefined
    for (const stream of audience.listeningTo(shown.topics)) {
      if (subscribed?.has(stream) || !mayKnow(shown, stream, viewers)) continue
      if (isMuted(stream, shown)) {
        foldedText ??= toText(row, JSON.stringify(folded(shown.data)))
        send(stream, row, foldedText)
        continue
      }
      text ??= toText(row, JSON.stringify(shown.data))
      send(stream, row, text)
    }
  }
  return sendings
}

/** What is published of each row, by its id. */
async function publicationsOf(
  { catalogue, config }: PublishParts,
  data: ProjectData,
  rows: readonly LogRow[],
  audience: Audience,
): Promise<Map<string, Publication>> {
  const all = new Map<string, Publication>()
  for (const group of catalogue.topics) {
    if (!group.topics.some(({ name }) => audience.hasTopic(name))) continue
    const types = new Set([...group.events, ...(group.notices ?? []).map(({ name }) => name)])
    const logged = rows.filter(({ type }) => types.has(type)).map(toLogged)
    if (logged.length === 0) continue
    const publications = await group.publish(logged, { data, open: audience, parts: { config } })
    for (const [id, each] of publications) {
      const before = all.get(id)
      all.set(id, before === undefined ? each : { ...each, topics: [...before.topics, ...each.topics] })
    }
  }
  return all
}

const toLogged = (row: LogRow): Logged => ({
  position: row.position,
  id: row.id,
  type: row.type,
  occurred_at: row.occurred_at,
  subject_id: row.subject_id,
  about: { id: row.about_id, discussion_id: row.discussion_id, feedback_id: row.feedback_id },
})

/** Members who listen to something that not everybody may know. */
function whoIsJudged(publications: ReadonlyMap<string, Publication>, audience: Audience): string[] {
  const members = new Set<string>()
  for (const { topics, mayKnow: judge } of publications.values())
    if (judge !== undefined)
      for (const { listener } of audience.listeningTo(topics))
        if (listener.memberId !== null) members.add(listener.memberId)
  return [...members]
}

/** Whether the member who listens has muted the author of what is shown. */
async function mutesOf(
  data: ProjectData,
  publications: ReadonlyMap<string, Publication>,
  audience: Audience,
): Promise<(stream: OpenStream, shown: Publication) => boolean> {
  const authors = new Set<string>()
  const members = new Set<string>()
  for (const { author, topics } of publications.values()) {
    if (author === undefined) continue
    authors.add(author)
    for (const { listener } of audience.listeningTo(topics))
      if (listener.memberId !== null) members.add(listener.memberId)
  }
  if (members.size === 0) return () => false
  const { pairs } = await data.read({ pairs: mutesAmong({ members: [...members], authors: [...authors] }) })
  if (pairs.length === 0) return () => false
  const muted = new Set(pairs.map(({ member_id, muted_id }) => `${member_id} ${muted_id}`))
  return ({ listener }, { author }) => muted.has(`${listener.memberId} ${author}`)
}

function mayKnow(
  { mayKnow: judge }: Publication,
  { listener: { memberId } }: OpenStream,
  viewers: ReadonlyMap<string, Viewer>,
): boolean {
  if (judge === undefined) return true
  const viewer = memberId === null ? KEY : viewers.get(memberId)
  return viewer !== undefined && judge(viewer)
}

/** The message of an event. Neither part of it has a line break. */
const toText = ({ position, type, occurred_at }: LogRow, data: string): Buffer =>
  Buffer.from(
    `id: ${position}\nevent: ${type}\ndata: {"type":"${type}","timestamp":"${occurred_at}","data":${data}}\n\n`,
  )
