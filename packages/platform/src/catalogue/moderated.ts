import type { Viewer } from '../actor.ts'
import type { Context } from '../db/tenant.ts'

/** What a case is about: a discussion or a comment in it, or an item of feedback or a comment on it. Stored ids. */
export interface ModeratedTarget {
  readonly discussion_id: string | null
  /** Null where the case is about the discussion itself. */
  readonly comment_id: string | null
  readonly feedback_id: string | null
  /** Null where the case is about the item itself. */
  readonly feedback_comment_id: string | null
}

/** How events and answers name a post: public ids alone. */
export interface PostNames {
  readonly id: string
  readonly discussion_id: string | null
  /** Left out for posts of discussions. */
  readonly feedback_id?: string
  /** Null where no member is named. */
  readonly author_id: string | null
}

/** A post as moderation handles it. Nobody else changes it until the transaction ends. */
export interface ModeratedPost {
  readonly target: ModeratedTarget
  readonly names: PostNames
  /** The stored id; null where no member is named. */
  readonly author_id: string | null
  readonly status: 'visible' | 'pending' | 'removed'
  /** Of the discussion, or of the item. */
  readonly title: string
  /** As it is stored. */
  readonly content: string
  /** Whether it can be read, and is not removed. */
  maySee(viewer: Viewer): boolean
  /** From now on its author and moderators alone see it. */
  hide(ctx: Context): Promise<void>
  /** From now on others see it. @param isNews whether nobody has seen it before */
  show(ctx: Context, shown: { readonly isNews: boolean }): Promise<void>
  /** From now on moderators alone see it. */
  remove(ctx: Context): Promise<void>
}

/** Posts of an area that are reported, held and decided about. */
export interface ModeratedKind {
  /** Whether a case is about such a post. */
  isAbout(target: ModeratedTarget): boolean
  /** The public id of the post that a case is about. */
  idOf(target: ModeratedTarget): string
  /** The public ids of what the post is in. */
  above(target: ModeratedTarget): {
    readonly discussion_id: string | null
    readonly feedback_id: string | null
  }
  /** @param id public @returns undefined for ids of other things, and for posts that there are not */
  find(ctx: Context, id: string): Promise<ModeratedTarget | undefined>
  /**
   * Locks a post.
   * @param mayRemove whether it is opened for a decision, which may remove it
   * @returns undefined where it is gone
   */
  open(ctx: Context, target: ModeratedTarget, mayRemove: boolean): Promise<ModeratedPost | undefined>
}
