import type { PostFile, Author as Shown } from '@guildhall/sdk'
import type { ReactNode } from 'react'
import { t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { RichText } from '../../ui/rich-text/rich-text.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './post.module.css'

interface Post {
  readonly id: string
  readonly content_html: string
  readonly author_id: string | null
  readonly author?: Shown | null
  readonly status: string
  readonly created_at: string
  readonly edited_at: string | null
  readonly likes: number
  readonly files?: readonly PostFile[]
}

interface Props {
  readonly post: Post
  readonly isAnswer?: boolean
  readonly onRevisions: () => void
  /** What the operator can do with it. */
  readonly acts?: ReactNode
}

/** A discussion's text or a comment, as an operator reads it. */
export function PostView({ post, isAnswer = false, onRevisions, acts }: Props) {
  return (
    <article id={post.id} className={`${styles.post} ${isAnswer ? styles.answer : ''}`}>
      <header className={styles.head}>
        <Author id={post.author_id} author={post.author} />
        <Time at={post.created_at} />
        {post.status !== 'visible' && <Badge state={post.status} />}
        {isAnswer && <Badge state="answer" />}
        <span>{t('{count} {count:like|likes}', { count: post.likes })}</span>
        {post.edited_at !== null && (
          <Button kind="quiet" onPress={onRevisions}>
            {t('Edited: earlier versions')}
          </Button>
        )}
      </header>
      {post.status === 'removed' && post.content_html === '' ? (
        <p className={styles.gone}>{t('It was removed; its text is no longer shown.')}</p>
      ) : (
        <RichText html={post.content_html} />
      )}
      {post.files !== undefined && post.files.length > 0 && <Files files={post.files} />}
      {acts && <div className={styles.acts}>{acts}</div>}
    </article>
  )
}

/** The files of a post, with a small picture where there is one. */
export function Files({ files }: { readonly files: readonly PostFile[] }) {
  return (
    <ul className={styles.files} aria-label={t('Attachments')}>
      {files.map((file) => (
        <li key={file.id}>
          <a href={file.url} target="_blank" rel="noopener noreferrer" className={styles.file}>
            {file.preview?.url != null && (
              <img src={file.preview.url} alt="" loading="lazy" className={styles.picture} />
            )}
            <bdi>{file.name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}
