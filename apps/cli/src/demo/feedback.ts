import { createComment } from '#areas/feedback/comments/service.ts'
import { feedbackId } from '#areas/feedback/ids.ts'
import { createFeedback } from '#areas/feedback/service.ts'
import { sayStatus } from '#areas/feedback/status/setting.ts'
import { mergeFeedback } from '#areas/feedback/votes/merging.ts'
import { addVote } from '#areas/feedback/votes/queries.ts'
import { KEY } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { DAY_MS, HOUR_MS } from './agenda.ts'
import { rendered, someone } from './community.ts'
import { as, type Part, readPeople, type Scene } from './part.ts'
import { IDEAS } from './texts.ts'

const ITEMS = 48
/** Where an item comes to, step by step. */
const WAYS = [
  [],
  ['under_review'],
  ['planned'],
  ['planned', 'in_progress'],
  ['under_review', 'in_progress', 'done'],
  ['declined'],
  ['planned', 'in_progress', 'done'],
  [],
] as const
const NOTES = {
  under_review: 'We look into it.',
  planned: 'On our list for the winter.',
  in_progress: 'Somebody works on it.',
  done: 'It is there. Tell us what you think.',
  declined: 'This is not what we are for, sorry.',
} as const

const OFFICIAL = rendered('Thank you! Which **device** do you use?')

/** A board with votes, comments, every status, a roadmap and duplicates. */
export const feedback: Part = {
  name: 'feedback',
  begin: async () => async (scene) => {
    const { ctx, agenda, dice } = scene
    const people = await readPeople(ctx)
    const count = Math.max(WAYS.length, scene.many(ITEMS))
    const made: string[] = []
    for (let n = 0; n < count; n++) {
      const idea = IDEAS[n % IDEAS.length] as (typeof IDEAS)[number]
      const round = Math.floor(n / IDEAS.length)
      const at = scene.ago(88 - (n * 87) / count) - dice.upTo(300) * 60_000
      agenda.at(at, async () => {
        const author = someone(scene, people, at).id
        const sent = { ...idea, title: round === 0 ? idea.title : `${idea.title} (${round + 1})` }
        const { id } = await createFeedback(as(ctx, author), sent, { id: author, isModerator: false })
        const stored = parseId(feedbackId, id) ?? ''
        for (let v = dice.upTo(round === 0 ? 30 : 8); v > 0; v--)
          addVote(ctx, { feedbackId: stored, memberId: dice.one(people).id })
        answer(scene, { id: stored, at, n })
        // What was said before is merged into it.
        const same = made[n === count - 1 ? 0 : n % IDEAS.length]
        if ((round === 2 || n === count - 1) && same !== undefined)
          agenda.at(at + DAY_MS, () => mergeFeedback(ctx, stored, same, KEY))
        made.push(id)
      })
    }
    await agenda.run()
  },
}

/** What the team makes of an item. */
function answer({ ctx, agenda, dice }: Scene, { id, at, n }: { id: string; at: number; n: number }): void {
  const way = n >= 2 * IDEAS.length ? [] : (WAYS[n % WAYS.length] ?? [])
  for (const [step, status] of way.entries())
    agenda.at(at + (1 + step * 3) * DAY_MS, () =>
      sayStatus(ctx, id, { status, note: NOTES[status], notify_voters: false }, KEY),
    )
  if (dice.chance(0.5))
    agenda.at(at + 6 * HOUR_MS, () =>
      createComment(
        ctx,
        KEY,
        {
          ...{ feedback_id: id, author_id: null, content: OFFICIAL.source, content_html: OFFICIAL.html },
          ...{ is_official: true, visibility: 'public', attachments: [] },
        },
        { author: undefined, text: OFFICIAL.text },
      ),
    )
}
