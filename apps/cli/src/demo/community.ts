import { createCategory } from '#areas/discussions/categories/service.ts'
import { writeComment } from '#areas/discussions/comments/service.ts'
import { commentId } from '#areas/discussions/ids.ts'
import { answerDiscussion } from '#areas/discussions/threads/answer.ts'
import { likeThread } from '#areas/discussions/threads/marks.ts'
import { lockThread } from '#areas/discussions/threads/queries.ts'
import { lockDiscussion, pinDiscussion, startDiscussion } from '#areas/discussions/threads/service.ts'
import { keepFile, receiveFile } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import { KEY } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { type Rendered, render } from '#platform/markdown/render.ts'
import { HOUR_MS } from './agenda.ts'
import { as, many, type Part, type Person, readPeople, type Scene } from './part.ts'
import { pictureOf } from './pictures.ts'
import { COMMENTS, THREADS } from './texts.ts'

const ATTACHED = 6

/** Our own words nest nowhere deep. */
export function rendered(typed: string, keepsLabels = false): Rendered {
  const outcome = render({ typed, keepsLabels })
  if (typeof outcome === 'string') throw new Error(`the demo text is ${outcome}`)
  return outcome
}

/** A member as who writes. */
export const authorOf = ({ id, role }: Person): ActingMember => ({
  ...{ id, role, planId: '' },
  isModerator: role === 'moderator' || role === 'admin',
})

/** A member who had joined by then. */
export function someone({ dice }: Scene, people: readonly Person[], at: number): Person {
  const there = people.filter(({ created_at }) => Date.parse(created_at) < at)
  return dice.one(there.length > 0 ? there : people)
}

/** Categories, and discussions with comments, answers, likes and files. */
export const community: Part = {
  name: 'community',
  begin: async (place) => {
    const count = place.objects.isSetUp ? many(place, ATTACHED) : 0
    const files = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        receiveFile(place, place.data, {
          name: `sample-${i + 1}.png`,
          type: 'image/png',
          bytes: pictureOf(100 + i),
        }),
      ),
    )
    const texts = THREADS.map(({ content }) => rendered(content))
    const comments = COMMENTS.map((text) => rendered(text))
    return async (scene) => {
      const { ctx, agenda, dice } = scene
      const people = await readPeople(ctx)
      agenda.at(scene.ago(89), () => openCategories(ctx))
      for (const [i, thread] of THREADS.slice(0, Math.max(3, scene.many(THREADS.length))).entries()) {
        const at = scene.ago(86 - i * 4.2) - dice.upTo(600) * 60_000
        agenda.at(at, async () => {
          const author = someone(scene, people, at)
          const file = files[i]
          if (file !== undefined)
            await keepFile(ctx, place, file, { visibility: 'private', ownerId: author.id })
          const { title, category, content } = thread
          const attachments = file === undefined ? [] : [toId('file', file.id)]
          const row = await startDiscussion(
            as(ctx, author.id),
            { title, category, content, attachments },
            { viewer: KEY, author: authorOf(author), rendered: texts[i] as Rendered },
          )
          talk(scene, { id: row.id, i, at, people, comments })
        })
      }
      await agenda.run()
    }
  },
}

async function openCategories(ctx: Context): Promise<void> {
  await createCategory(ctx, { name: 'Patterns', slug: 'patterns', description: 'What we make, and how' })
  await createCategory(ctx, { name: 'Help wanted', slug: 'help-wanted', description: 'Somebody knows it' })
}

interface Talk {
  /** The stored id of the discussion. */
  readonly id: string
  readonly i: number
  readonly at: number
  readonly people: readonly Person[]
  readonly comments: readonly Rendered[]
}

/** What follows on a discussion. */
function talk(scene: Scene, { id, i, at, people, comments }: Talk): void {
  const { ctx, agenda, dice, place } = scene
  const last: string[] = []
  const count = 3 + dice.upTo(9)
  for (let n = 0; n < count; n++) {
    const when = at + (2 + n * (4 + dice.upTo(20))) * HOUR_MS
    agenda.at(when, async () => {
      const author = someone(scene, people, when)
      const which = dice.upTo(COMMENTS.length)
      const parent = last.at(-1)
      const row = await writeComment(
        as(ctx, author.id),
        await lockThread(ctx, { id }),
        { content: COMMENTS[which] as string, ...(n % 3 === 2 && parent && { parent_id: parent }) },
        { viewer: KEY, author: authorOf(author), rendered: comments[which] as Rendered },
      )
      last.push(toId(commentId, row.id))
    })
  }
  for (let n = 0; n < dice.upTo(8); n++)
    agenda.at(at + (5 + n) * HOUR_MS, () =>
      likeThread(ctx, { discussion_id: id, member_id: someone(scene, people, at).id }, true),
    )
  const end = Math.min(at + 200 * HOUR_MS, place.now)
  if (THREADS[i]?.category === 'help-wanted')
    agenda.at(end, async () => {
      const [first] = last
      if (first !== undefined) await answerDiscussion(ctx, id, KEY, first)
    })
  if (i === 1) agenda.at(end, () => pinDiscussion(ctx, id, KEY, true))
  if (i === 4) agenda.at(end, () => lockDiscussion(ctx, id, KEY, true))
}
