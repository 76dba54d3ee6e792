import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import type { Logged, Told, TopicParts } from '#platform/catalogue/topic.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { KEY, type Viewer } from '#platform/http/viewer.ts'
import { type LogRow, waitForDisk } from '../queries.ts'
import type { Audience } from './audience.ts'
import type { OpenStream } from './open-stream.ts'
import { viewersOf } from './standing.ts'

export interface TellParts extends TopicParts {
  readonly catalogue: Catalogue
}

/** What streams are to be sent, in the order of the log. */
export type Sendings = ReadonlyMap<OpenStream, readonly Buffer[]>

/**
 * Prepares what streams are told of some rows of the log. All that is shown is read now, once for all streams, and everybody is judged
 * by what they may read now. Nothing is sent here, so that a page whose reading fails can be prepared again.
 */
export async function tellPage(
  parts: TellParts,
  data: ProjectData,
  rows: readonly LogRow[],
  audience: Audience,
): Promise<Sendings> {
  const [told] = await Promise.all([tellTopics(parts, data, rows, audience), data.write(waitForDisk())])
  const viewers = await viewersOf(data, whoIsJudged(told, audience))
  const sendings = new Map<OpenStream, Buffer[]>()
  const send = (stream: OpenStream, { position }: LogRow, text: Buffer) => {
    // Another process may have told its client more than this one has read.
    if (position <= stream.position) return
    const before = sendings.get(stream)
    if (before === undefined) sendings.set(stream, [text])
    else before.push(text)
  }
  for (const row of rows) {
    // Who gets the event as webhooks do is not told a second time.
    const subscribed = row.payload === null ? undefined : audience.subscribedTo(row.type)
    if (subscribed !== undefined && subscribed.size > 0) {
      const text = toText(row, (row.payload as string).replace(/[\r\n]+/g, ' '))
      for (const stream of subscribed) send(stream, row, text)
    }
    const shown = told.get(row.id)
    if (shown === undefined) continue
    let text: Buffer | undefined
    for (const stream of audience.listeningTo(shown.topics)) {
      if (subscribed?.has(stream) || !mayKnow(shown, stream, viewers)) continue
      text ??= toText(row, JSON.stringify(shown.data))
      send(stream, row, text)
    }
  }
  return sendings
}

/** What topics tell of each row, by its id. */
async function tellTopics(
  { catalogue, config }: TellParts,
  data: ProjectData,
  rows: readonly LogRow[],
  audience: Audience,
): Promise<Map<string, Told>> {
  const all = new Map<string, Told>()
  for (const group of catalogue.topics) {
    if (!group.topics.some(({ name }) => audience.hears(name))) continue
    const types = new Set([...group.events, ...(group.notices ?? []).map(({ name }) => name)])
    const logged = rows.filter(({ type }) => types.has(type)).map(toLogged)
    if (logged.length === 0) continue
    const told = await group.tell(logged, { data, heard: audience, parts: { config } })
    for (const [id, each] of told) {
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
function whoIsJudged(told: ReadonlyMap<string, Told>, audience: Audience): string[] {
  const members = new Set<string>()
  for (const { topics, mayKnow: judge } of told.values())
    if (judge !== undefined)
      for (const { listener } of audience.listeningTo(topics))
        if (listener.memberId !== null) members.add(listener.memberId)
  return [...members]
}

function mayKnow(
  { mayKnow: judge }: Told,
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
