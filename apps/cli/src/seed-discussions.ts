import { createCategory } from '#areas/discussions/categories/service.ts'
import { writeComment } from '#areas/discussions/comments/service.ts'
import { lockThread } from '#areas/discussions/threads/queries.ts'
import { startDiscussion } from '#areas/discussions/threads/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { KEY } from '#platform/http/viewer.ts'
import { Markdown } from '#platform/markdown/markdown.ts'
import type { Rendered } from '#platform/markdown/render.ts'

const THREADS = [
  {
    title: 'How do you plan your week?',
    category: 'general',
    content:
      'I write **three** goals on Monday:\n\n1. one to learn\n2. one to finish\n3. one for fun\n\nAnd you?',
    comments: ['Two goals are enough for me.', 'I plan on *Sunday*, with a cup of tea.'],
  },
  {
    title: 'Which engine should the museum run first?',
    category: 'general',
    content: 'The difference engine is ready. `cards.txt` has the first program.',
    comments: ['The difference engine, by all means!'],
  },
]

/** What the demo's discussions say, rendered before the transaction that writes them. */
export type RenderedThreads = readonly {
  readonly rendered: Rendered
  readonly comments: readonly Rendered[]
}[]

export async function renderThreads(projectId: string): Promise<RenderedThreads> {
  const writer = { projectId, actor: { kind: 'operator' } } as const
  const markdown = new Markdown({ threads: 1 })
  try {
    return await Promise.all(
      THREADS.map(async ({ content, comments }) => ({
        rendered: await markdown.render(content, writer),
        comments: await Promise.all(comments.map((comment) => markdown.render(comment, writer))),
      })),
    )
  } finally {
    await markdown.close()
  }
}

/** Opens a category with discussions between members. @param members stored ids, of two at least */
export async function seedDiscussions(
  ctx: Context,
  members: readonly string[],
  texts: RenderedThreads,
): Promise<void> {
  await createCategory(ctx, { name: 'General', description: 'Everything else' })
  const authors = members.map((id) => ({ id, role: 'member', planId: '', isModerator: true }))
  for (const [i, thread] of THREADS.entries()) {
    const author = authors[i % authors.length]
    const text = texts[i]
    if (!author || !text) continue
    const { title, content, category } = thread
    const { id } = await startDiscussion(
      ctx,
      { title, content, category },
      { viewer: KEY, author, rendered: text.rendered },
    )
    for (const [j, comment] of thread.comments.entries()) {
      const other = authors[(i + j + 1) % authors.length]
      const rendered = text.comments[j]
      if (!other || !rendered) continue
      const open = await lockThread(ctx, { id })
      await writeComment(ctx, open, { content: comment }, { viewer: KEY, author: other, rendered })
    }
  }
}
