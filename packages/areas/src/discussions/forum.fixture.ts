import type { Answer } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import type { Comment, Discussion } from './schema.ts'

/** A member with a token. */
export interface Visitor {
  readonly id: string
  readonly client: Client
}

/** A forum, as tests use it. */
export class Forum {
  readonly side: Side
  constructor(side: Side) {
    this.side = side
  }

  /** A member who joins and logs in. */
  async join(input: object = {}): Promise<Visitor> {
    const { id } = await this.side.makeMember(input)
    return { id, client: this.side.as((await this.side.signIn(id)).token) }
  }

  async category(input: object): Promise<{ id: string; slug: string }> {
    const body = await this.side.admin.post<{ data: { id: string; slug: string } }>(
      '/discussion-categories',
      input,
    )
    return taken(body).data
  }

  async start({ client }: Pick<Visitor, 'client'>, input: object = {}): Promise<Discussion> {
    const body = { title: 'A title', content: 'Words', category: 'general', ...input }
    return taken(await client.post<{ discussion: Discussion }>('/discussions', body)).discussion
  }

  async comment({ client }: Pick<Visitor, 'client'>, id: string, input: object = {}): Promise<Comment> {
    const body = { content: 'Words', ...input }
    return taken(await client.post<{ comment: Comment }>(`/discussions/${id}/comments`, body)).comment
  }

  /** A discussion as somebody sees it; as a key does unless stated otherwise. */
  async get(id: string, client: Client = this.side.admin): Promise<Discussion> {
    return taken(await client.get<{ data: Discussion }>(`/discussions/${id}`)).data
  }

  /** Reports something so often that it is hidden. */
  async reportOften(target_id: string): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const { client } = await this.join()
      taken(await client.post<object>('/reports', { target_id, reason: 'spam' }))
    }
  }

  /** What waits for a moderator. */
  async queue(): Promise<{ id: string; target_id: string; report_count: number }[]> {
    const answer = await this.side.admin.get<{
      data: { id: string; target_id: string; report_count: number }[]
    }>('/moderation/queue?limit=100')
    return taken(answer).data
  }

  /** The case about something that waits for a moderator. */
  async caseOf(target: string) {
    const found = (await this.queue()).find(({ target_id }) => target_id === target)
    if (found === undefined) throw new Error(`nothing waits about ${target}`)
    return found
  }
}

/** The body of an answer that is no error. */
export function taken<T>({ status, body }: Answer<T>): T {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** The status and code of an answer: `422 VALIDATION_ERROR`. */
export async function codeOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer
  return `${status} ${(body as { code?: string } | undefined)?.code ?? ''}`.trim()
}
