import type { Comment, PostFile } from '../../../sdk/src/guildhall.ts'
import type { CommonKey } from '../base/common.en.ts'
import { type Child, fill, h } from '../base/dom.ts'
import { button } from '../base/element.ts'
import type { CommentsKey } from './texts.en.ts'

type Say = (key: CommentsKey | CommonKey, values?: Readonly<Record<string, string | number>>) => string

/** What a comment may do in its element. */
export interface Acts {
  readonly say: Say
  readonly language: string
  /** Whether the reader may write here. */
  readonly mayWrite: boolean
  /** Likes it, or no longer. */
  readonly like: (id: string, isLiked: boolean) => Promise<{ liked: boolean; likes: number } | undefined>
  /** Shows the form of a reply in a place. */
  readonly answer: (comment: Comment, place: HTMLElement) => void
}

export const nameOf = (say: Say, { author }: Pick<Comment, 'author'>): string =>
  author?.display_name ?? say('member')

/** A comment on the page. What it says can change; the reply that somebody is writing below it stays. */
export class CommentView {
  readonly element = h('li', { class: 'comment', part: 'comment' })
  readonly replies = h('ul', { class: 'replies' })
  readonly #acts: Acts
  readonly #post = h('article')
  readonly #place = h('div', { class: 'answer' })

  constructor(acts: Acts, comment: Comment) {
    this.#acts = acts
    this.element.append(this.#post, this.#place, this.replies)
    this.show(comment)
  }

  /** Shows what it says now. */
  show(comment: Comment): void {
    const { say } = this.#acts
    const isThere = comment.status !== 'removed'
    fill(
      this.#post,
      this.#head(comment),
      isThere
        ? h('div', { class: 'content', part: 'content' }, htmlOf(comment.content_html))
        : h('p', { class: 'muted' }, say('removed')),
      isThere && filesOf(comment.files ?? []),
      isThere && this.#acts.mayWrite && this.#tools(comment),
    )
  }

  #head(comment: Comment): HTMLElement {
    const { say, language } = this.#acts
    const name = nameOf(say, comment)
    const picture = comment.author?.avatar_url
    const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
    return h(
      'div',
      { class: 'head' },
      picture
        ? h('img', { src: picture, alt: '', part: 'avatar' })
        : h('span', { class: 'initial', 'aria-hidden': 'true' }, [...name][0]),
      h('span', { class: 'name', part: 'author', dir: 'auto' }, name),
      h('time', { class: 'muted', datetime: comment.created_at }, time.format(new Date(comment.created_at))),
      comment.edited_at !== null && h('span', { class: 'muted' }, `(${say('edited')})`),
    )
  }

  #tools(comment: Comment): HTMLElement {
    const { say, like, answer } = this.#acts
    const name = nameOf(say, comment)
    let { liked = false } = comment.viewer ?? {}
    const act = async () => {
      const now = await like(comment.id, liked)
      if (now === undefined) return
      liked = now.liked
      show(now.likes)
    }
    const heart = button('', act, 'button small')
    heart.classList.add('heart')
    const show = (n: number) => {
      fill(heart, String(n))
      heart.setAttribute('aria-pressed', String(liked))
      heart.setAttribute('aria-label', say('likes', { name, n }))
    }
    show(comment.likes)
    const reply = button(say('reply'), () => answer(comment, this.#place), 'button small')
    reply.setAttribute('aria-label', say('replyTo', { name }))
    return h('div', { class: 'tools' }, heart, reply)
  }
}

/** The HTML of the API is safe; it is read apart from the page all the same, where nothing of it runs. */
function htmlOf(html: string): DocumentFragment {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const fragment = document.createDocumentFragment()
  fragment.append(...body.childNodes)
  return fragment
}

function filesOf(files: readonly PostFile[]): Child {
  if (files.length === 0) return undefined
  return h(
    'div',
    { class: 'files' },
    ...files.map(({ name, url, preview }) =>
      h(
        'a',
        { href: url, target: '_blank', rel: 'noopener' },
        preview
          ? h('img', { src: preview.url, alt: name, width: preview.width, height: preview.height })
          : `📎 ${name}`,
      ),
    ),
  )
}
