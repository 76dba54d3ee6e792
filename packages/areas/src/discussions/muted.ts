/** A post as an answer shows it. */
interface Shown {
  readonly content: string
  readonly content_html: string
  readonly excerpt?: string
  readonly attachments: readonly unknown[]
  readonly viewer?: { readonly muted: boolean } | undefined
}

/** A post in a list: of a member whom the reader has muted, the place is shown without the content. */
export const foldMuted = <T extends Shown>(post: T): T =>
  post.viewer?.muted ? { ...post, content: '', content_html: '', excerpt: '', attachments: [] } : post
