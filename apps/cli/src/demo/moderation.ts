import { appeal } from '#areas/discussions/appeals/service.ts'
import { createCategory } from '#areas/discussions/categories/service.ts'
import { writeComment } from '#areas/discussions/comments/service.ts'
import { caseId, commentId } from '#areas/discussions/ids.ts'
import { aboutComment, aboutDiscussion } from '#areas/discussions/moderation/closing.ts'
import { discussionPosts } from '#areas/discussions/moderation/posts.ts'
import { openCase } from '#areas/discussions/moderation/queries.ts'
import { decide, Moderated, report } from '#areas/discussions/moderation/service.ts'
import { lockThread } from '#areas/discussions/threads/queries.ts'
import { startDiscussion } from '#areas/discussions/threads/service.ts'
import { makeSendMail } from '#areas/mail/service.ts'
import { addMute } from '#areas/moderation/mutes/queries.ts'
import { insertRule, toNewRow } from '#areas/moderation/rules/queries.ts'
import { suspend, unsuspend } from '#areas/moderation/suspensions/service.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { DAY_MS, HOUR_MS } from './agenda.ts'
import { authorOf, rendered } from './community.ts'
import { actingAs, as, type Part, type Person, readPeople, type Scene } from './part.ts'
import { HELD, REPORTED } from './texts.ts'

/** What is reported and held here. */
const moderated = new Moderated([discussionPosts])

const REASONS = ['spam', 'abuse', 'off_topic', 'other'] as const

/** What moderators decide: nothing yet, or so. */
type Decision = 'approved' | 'removed' | undefined
const DECISIONS: readonly Decision[] = [
  undefined,
  'approved',
  undefined,
  'removed',
  'approved',
  'removed',
  undefined,
  undefined,
]

/** Held posts, reports, appeals, suspended and muted members, and rules. */
export const moderation: Part = {
  name: 'moderation',
  due: ['moderation.end-suspensions'],
  begin: async () => {
    const held = HELD.map((text) => rendered(text))
    const reported = REPORTED.map((text) => rendered(text))
    const opening = rendered('Say hello, and tell us what you make.')
    return async (scene) => {
      const { ctx, agenda } = scene
      const people = await readPeople(ctx)
      const members = people.filter(({ role }) => role === 'member')
      // Those who write here have written nowhere else.
      const [host, ...others] = members.slice(0, 40)
      if (host === undefined) return
      agenda.at(scene.ago(30), async () => {
        addRules(scene)
        await createCategory(ctx, {
          name: 'Introductions',
          slug: 'introductions',
          moderated: true,
          description: 'Who is here',
        })
        const thread = await startDiscussion(
          ctx,
          { title: 'Who are you?', category: 'introductions', content: opening.source },
          { viewer: KEY, author: { ...authorOf(host), isModerator: true }, rendered: opening },
        )
        holdPosts(scene, thread.id, others, held)
        holdThreads(scene, others.toReversed(), held)
        takeReports(scene, thread.id, others, reported)
      })
      judgeMembers(scene, members.slice(-12))
      await agenda.run()
    }
  },
}

const RULES: readonly Parameters<typeof toNewRow>[1][] = [
  { kind: 'words', name: 'Words of spam', action: 'hold', words: ['casino', 'cheap pills'] },
  { kind: 'links', name: 'Many links', action: 'refuse', max_links: 5 },
  { kind: 'age', name: 'Very new members', action: 'hold', younger_than_hours: 1, enabled: false },
]

function addRules({ ctx }: Scene): void {
  for (const rule of RULES) insertRule(ctx, toNewRow(newUuid(), rule, null))
}

const DECIDED_AFTER = 20 * HOUR_MS

/** Discussions that wait for somebody, and one that was removed. */
function holdThreads({ ctx, agenda }: Scene, people: readonly Person[], texts: readonly Rendered[]): void {
  for (const [i, title] of [
    'Hello from Porto',
    'Cheap needles, all sizes',
    'A question of a beginner',
  ].entries()) {
    const [author, text] = [people[i], texts[i]]
    if (author === undefined || text === undefined) continue
    const at = agenda.moment + (27 + i) * DAY_MS
    agenda.at(at, async () => {
      const { id } = await startDiscussion(
        as(ctx, author.id),
        { title, category: 'introductions', content: text.source },
        { viewer: KEY, author: authorOf(author), rendered: text },
      )
      if (i !== 1) return
      agenda.at(at + HOUR_MS, async () => {
        const open = await openCase(ctx, aboutDiscussion({ id }))
        const reason = 'Advertising does not belong here'
        if (open !== undefined)
          await decide(ctx, open.id, { viewer: KEY, decision: 'removed', reason, moderated })
      })
    })
  }
}

/** First posts in a moderated category, and what rules hold: some are decided, others wait. */
function holdPosts(
  scene: Scene,
  thread: string,
  people: readonly Person[],
  texts: readonly Rendered[],
): void {
  const { agenda } = scene
  const begins = agenda.moment
  for (let n = 0; n < Math.max(12, scene.many(16)); n++) {
    const author = people[n % people.length]
    const text = texts[n % texts.length] as Rendered
    const decision = DECISIONS[n % DECISIONS.length]
    if (author === undefined) continue
    const at = decision === undefined ? scene.ago(2.5 - n / 8) : begins + (1 + n) * DAY_MS
    agenda.at(at, async () => {
      const row = await comment(scene, { thread, author, text })
      if (decision !== undefined) decideLater(scene, { thread, comment: row.id, decision, at })
      if (decision === 'removed') appealLater(scene, { comment: row.id, author, at, n })
    })
  }
}

interface Written {
  readonly thread: string
  readonly author: Person
  readonly text: Rendered
}
const comment = async ({ ctx }: Scene, { thread, author, text }: Written) =>
  writeComment(
    as(ctx, author.id),
    await lockThread(ctx, { id: thread }),
    { content: text.source },
    { viewer: KEY, author: authorOf(author), rendered: text },
  )

function decideLater(
  { ctx, agenda }: Scene,
  {
    thread,
    comment: id,
    decision,
    at,
  }: { thread: string; comment: string; decision: 'approved' | 'removed'; at: number },
): void {
  agenda.at(at + DECIDED_AFTER, async () => {
    const open = await openCase(ctx, aboutComment({ id, discussion_id: thread }))
    if (open === undefined) return
    const reason = decision === 'removed' ? 'Advertising does not belong here' : undefined
    await decide(ctx, open.id, { viewer: KEY, decision, reason, moderated })
  })
}

/** By the number of the post. */
const AFTER_APPEAL: Readonly<Record<number, 'approved' | 'removed'>> = { 3: 'removed', 5: 'approved' }

/** Removals are appealed: one appeal was right, one was not, and others wait. */
function appealLater(
  { ctx, agenda }: Scene,
  { comment: id, author, at, n }: { comment: string; author: Person; at: number; n: number },
): void {
  const when = at + DECIDED_AFTER + 5 * HOUR_MS
  agenda.at(when, async () => {
    const text = 'I only wanted to tell you about my hobby. Please look again.'
    const made = await appeal(as(ctx, author.id), {
      ...{ id: toId(commentId, id), text, who: actingAs(author.id), moderated },
    })
    const decision = AFTER_APPEAL[n]
    if (decision === undefined) return
    const known = parseId(caseId, made.case_id) ?? ''
    agenda.at(when + DAY_MS, () =>
      decide(ctx, known, { viewer: KEY, decision, reason: 'We have looked again', moderated }),
    )
  })
}

/** Posts that members report, once or until they are hidden. */
function takeReports(
  scene: Scene,
  thread: string,
  people: readonly Person[],
  texts: readonly Rendered[],
): void {
  const { ctx, agenda, dice } = scene
  const [staff] = people
  for (let n = 0; n < Math.max(6, scene.many(12)); n++) {
    const author = people[(n + 3) % people.length]
    if (author === undefined || staff === undefined) continue
    const at = scene.ago(20 - 1.6 * n)
    const text = texts[n % texts.length] as Rendered
    agenda.at(at, async () => {
      const trusted = { ...authorOf(author), isModerator: true }
      const row = await writeComment(
        as(ctx, author.id),
        await lockThread(ctx, { id: thread }),
        { content: text.source },
        { viewer: KEY, author: trusted, rendered: text },
      )
      const target_id = toId(commentId, row.id)
      for (let k = 0; k < 1 + (n % 4); k++) {
        const member = people[(n + 7 + k) % people.length]
        if (member === undefined || member.id === author.id) continue
        agenda.at(at + (2 + k) * HOUR_MS, () =>
          report(
            as(ctx, member.id),
            { target_id, reason: dice.one(REASONS), ...(k === 0 && { note: 'Please have a look' }) },
            { viewer: KEY, member: authorOf(member), moderated },
          ),
        )
      }
      const decision = ([undefined, 'removed', 'approved', undefined] as const)[n % 4]
      if (decision !== undefined) decideLater(scene, { thread, comment: row.id, decision, at })
    })
  }
}

/** Suspends members, with an end, without one and for a time that is over; and some members mute others. */
function judgeMembers({ ctx, agenda, place, ago }: Scene, members: readonly Person[]): void {
  const sendMail = makeSendMail(place.config)
  const ends = [null, ago(-7), ago(-20), null, ago(0.5)]
  for (const [i, end] of ends.entries()) {
    const id = members[i]?.id
    if (id === undefined) continue
    const until = end === null ? {} : { until: new Date(end).toISOString() }
    const input = { reason: 'Advertising after two warnings', ...until }
    agenda.at(ago(1.5) + i * HOUR_MS, () => suspend(ctx, sendMail, { id, input, viewer: KEY }))
    if (i === 3) agenda.at(ago(0.2), () => unsuspend(ctx, id, KEY))
  }
  for (const [i, { id: member_id }] of members.slice(5).entries()) {
    const muted_id = members[i % 3]?.id
    if (muted_id !== undefined)
      agenda.at(ago(1) + i * HOUR_MS, () => addMute(ctx, { id: newUuid(), member_id, muted_id }))
  }
}
