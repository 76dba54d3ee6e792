import {
  type Comment,
  type CommentWithReplies,
  GuildhallError,
  streamEvents,
} from '../../../sdk/src/guildhall.ts'
import type { Connection } from '../base/connection.ts'
import { fill, h } from '../base/dom.ts'
import { button, GuildhallElement } from '../base/element.ts'
import { inWords } from '../base/errors.ts'
import { field } from '../base/fields.ts'
import { form } from '../base/form.ts'
import { logInPrompt } from '../base/log-in-link.ts'
import type { Languages } from '../base/texts.ts'
import { type Acts, CommentView, nameOf } from './comment-view.ts'
import { style } from './style.ts'
import { type CommentsKey, texts } from './texts.en.ts'

const PAGE = 50
const INCLUDE: ('author' | 'attachments')[] = ['author', 'attachments']

/**
 * `<guildhall-comments thread="disc_…">`: the comments of a discussion as they come, with likes, replies and files. It tells the page of
 * `guildhall:comment` with what was written. `login-url` is where people log in to write.
 */
export class GuildhallComments extends GuildhallElement<CommentsKey> {
  static override observedAttributes = [...GuildhallElement.observedAttributes, 'thread', 'login-url']
  protected readonly english = texts
  protected readonly languages: Languages<CommentsKey> = {
    de: () => import('./texts.de.ts'),
    es: () => import('./texts.es.ts'),
  }
  #connection!: Connection
  #thread = ''
  #acts!: Acts
  readonly #views = new Map<string, CommentView>()
  /** The list in which the replies of a comment are, by the id of the comment. */
  readonly #lists = new Map<string, HTMLElement>()
  readonly #list = h('ul', { part: 'list' })
  readonly #said = h('div', { class: 'said', role: 'status' })
  readonly #more = h('div', { class: 'actions' })
  #next: string | null = null

  constructor() {
    super()
    this.shadowRoot?.adoptedStyleSheets.push(style)
  }

  protected async open(connection: Connection, signal: AbortSignal): Promise<void> {
    this.#connection = connection
    this.#thread = this.getAttribute('thread') ?? ''
    if (this.#thread === '') throw new Error(this.say('noThread'))
    if (!this.body.hasChildNodes()) this.showLoading()
    const { guildhall, session } = connection
    const [{ is_locked }, page] = await Promise.all([
      guildhall.discussions.get(this.#thread, {}, { signal }),
      this.#read(signal),
    ])
    if (signal.aborted) return
    const mayWrite = session.isLoggedIn && !is_locked
    this.#acts = {
      ...{ say: this.say, language: this.language, mayWrite },
      like: (id, isLiked) => this.#like(id, isLiked),
      answer: (comment, place) => this.#showAnswer(comment, place),
    }
    this.#views.clear()
    this.#lists.clear()
    fill(this.#list)
    fill(this.#said)
    this.#showPage(page)
    const end = is_locked
      ? h('p', { class: 'muted' }, this.say('locked'))
      : mayWrite
        ? this.#writing(undefined)
        : logInPrompt(this, this.say('logInToWrite'), this.say('logIn'))
    const write = h('div', { class: 'write' }, end)
    this.show(h('h2', { part: 'title' }, this.say('title')), this.#list, this.#more, this.#said, write)
    if (session.isLoggedIn) void this.#follow(signal)
  }

  #read(signal?: AbortSignal, cursor?: string) {
    const query = { limit: PAGE, depth: 5, include: INCLUDE, cursor }
    return this.#connection.guildhall.discussions.comments.list(this.#thread, query, { signal })
  }

  #showPage({ data, next_cursor: next }: { data: CommentWithReplies[]; next_cursor: string | null }): void {
    this.#next = next
    for (const comment of data) {
      this.#put(comment)
      for (const reply of comment.replies) this.#put(reply)
    }
    this.#showEmpty()
    const more = async () => {
      try {
        this.#showPage(await this.#read(undefined, next ?? undefined))
      } catch (error) {
        this.#complain(error)
      }
    }
    fill(this.#more, next !== null && button(this.say('more'), more))
  }

  #showEmpty(): void {
    if (this.#views.size === 0) fill(this.#list, h('li', { class: 'muted' }, this.say('empty')))
    else if (this.#list.firstElementChild?.classList.contains('muted')) this.#list.firstElementChild.remove()
  }

  /** Shows a comment at its place, or anew. Replies to replies are in one list. */
  #put(comment: Comment): CommentView | undefined {
    const known = this.#views.get(comment.id)
    if (known !== undefined) {
      known.show(comment)
      return known
    }
    const list = comment.parent_id === null ? this.#list : this.#lists.get(comment.parent_id)
    // Its parent is on a page that is not shown yet.
    if (list === undefined) return undefined
    const view = new CommentView(this.#acts, comment)
    this.#views.set(comment.id, view)
    this.#lists.set(comment.id, list === this.#list ? view.replies : list)
    list.append(view.element)
    return view
  }

  /** Shows what others write, as it comes. */
  async #follow(signal: AbortSignal): Promise<void> {
    const topics = [`discussion:${this.#thread}`]
    try {
      for await (const { type, data } of streamEvents(this.#connection.guildhall, { topics, signal })) {
        const { id } = (data ?? {}) as { id?: string }
        if (type === 'reset') this.begin()
        else if (type.startsWith('comment.') && id !== undefined) await this.#arrive(id)
      }
    } catch (error) {
      // Comments are shown without it too, but not as they come.
      if (!signal.aborted) console.warn(`guildhall-comments: ${inWords(this.say, error)}`)
    }
  }

  async #arrive(id: string): Promise<void> {
    const isNew = !this.#views.has(id)
    try {
      const comment = await this.#connection.guildhall.comments.get(id, { include: INCLUDE })
      // It comes with the pages that are not shown yet.
      if (isNew && comment.parent_id === null && this.#next !== null) return
      const view = this.#put(comment)
      this.#showEmpty()
      if (isNew && view) this.tell(this.say('arrived', { name: nameOf(this.say, comment) }))
    } catch (error) {
      if (!(error instanceof GuildhallError && error.status === 404)) throw error
      this.#views.get(id)?.element.remove()
    }
  }

  async #like(id: string, isLiked: boolean): Promise<{ liked: boolean; likes: number } | undefined> {
    const { comments } = this.#connection.guildhall
    try {
      return await (isLiked ? comments.unlike(id) : comments.like(id))
    } catch (error) {
      this.#complain(error)
      return undefined
    }
  }

  #complain(error: unknown): void {
    fill(this.#said, h('p', { class: 'alert' }, inWords(this.say, error)))
  }

  #showAnswer(comment: Comment, place: HTMLElement): void {
    const entry = this.#writing(comment, () => fill(place))
    fill(place, entry)
    entry.querySelector('textarea')?.focus()
  }

  /** @param parent the comment that is replied to */
  #writing(parent: Comment | undefined, close?: () => void): HTMLFormElement {
    const name = parent && nameOf(this.say, parent)
    const label = name === undefined ? this.say('write') : this.say('answer', { name })
    const attributes = { maxlength: 50_000 }
    const content = field(this.say, { name: 'content', label, type: 'textarea', required: true, attributes })
    const files = field(this.say, {
      ...{ name: 'attachments', label: this.say('files'), type: 'file', help: this.say('filesHelp') },
      attributes: { multiple: true },
    })
    const entry = form(this.say, {
      ...{ fields: [content, files], submit: this.say('send') },
      act: async ({ content: text = '' }) => {
        const chosen = files.element.querySelector('input')?.files ?? []
        await this.#send(text, [...chosen], parent?.id)
        entry.reset()
        close?.()
      },
    })
    if (close) entry.querySelector('.actions')?.append(button(this.say('cancel'), close))
    return entry
  }

  async #send(content: string, files: readonly File[], parent: string | undefined): Promise<void> {
    const { discussions, storage } = this.#connection.guildhall
    const attachments: string[] = []
    for (const file of files) {
      const parts = new FormData()
      parts.set('purpose', 'attachment')
      parts.set('file', file, file.name)
      attachments.push((await storage.files.upload(parts)).id)
    }
    const written = await discussions.comments.create(this.#thread, {
      ...{ content, parent_id: parent, ...(attachments.length > 0 && { attachments }) },
    })
    this.emit('comment', { comment: written })
    if (written.status === 'pending') fill(this.#said, h('p', { class: 'good' }, this.say('pending')))
    else {
      fill(this.#said)
      this.#put(await this.#connection.guildhall.comments.get(written.id, { include: INCLUDE }))
      this.#showEmpty()
    }
  }
}
