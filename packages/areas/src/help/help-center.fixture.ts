import type { Answer } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import type { Article, NewArticle } from './schema.ts'

/** A help center, as tests use it. */
export class HelpCenter {
  readonly #side: Side
  constructor(side: Side) {
    this.#side = side
  }

  async draft(input: Partial<NewArticle> = {}): Promise<Article> {
    const body = { title: 'Reset your password', content: 'Open **Settings**.', ...input }
    return taken(await this.#side.admin.post<{ data: Article }>('/help/articles', body))
  }

  async publish(id: string): Promise<Article> {
    return taken(await this.#side.admin.post<{ data: Article }>(`/help/articles/${id}/publish`))
  }

  async article(input: Partial<NewArticle> = {}): Promise<Article> {
    return this.publish((await this.draft(input)).id)
  }

  async change(id: string, changes: object): Promise<Article> {
    return taken(await this.#side.admin.patch<{ data: Article }>(`/help/articles/${id}`, changes))
  }

  async translate(id: string, locale: string, title: string, content = 'x') {
    const path = `/help/articles/${id}/translations/${locale}`
    return taken(await this.#side.admin.put<{ data: { is_outdated: boolean } }>(path, { title, content }))
  }

  async category(name: string, parent?: string): Promise<string> {
    const body = { name, ...(parent !== undefined && { parent_id: parent }) }
    return taken(await this.#side.admin.post<{ data: { id: string } }>('/help/categories', body)).id
  }
}

interface Found {
  data: { id: string; slug: string; title: string; title_html: string; snippet: string; locale: string }[]
  pagination: { total: number }
}

/** What somebody finds. */
export async function search(client: Client, text: string, query = ''): Promise<Found> {
  const answer = await client.get<Found>(`/help/search?q=${encodeURIComponent(text)}${query}`)
  if (answer.status !== 200) throw new Error(`${text}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export function taken<T>({ status, body }: Answer<{ data: T }>): T {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
