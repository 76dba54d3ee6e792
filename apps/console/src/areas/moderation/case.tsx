import type { QueuedCase } from '@guildhall/sdk'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { RichText } from '../../ui/rich-text/rich-text.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './queue.module.css'

/** What the kinds of rules are called. */
export const kindNames = (): Readonly<Record<string, string>> => ({
  words: t('Words'),
  links: t('Links'),
  rate: t('Posts in a time'),
  age: t('New authors'),
  duplicates: t('Repeated texts'),
  hook: t('Outside service'),
})

/** What members choose when they report a post. */
const reasonNames = (): Readonly<Record<string, string>> => ({
  spam: t('Spam'),
  abuse: t('Abuse'),
  off_topic: t('Off topic'),
  other: t('Another reason'),
})

/** Where the post of a case is. */
function PostLink({ of }: { readonly of: QueuedCase }) {
  const { project, side } = useProject()
  const title = <bdi>{of.title}</bdi>
  if (of.discussion_id !== null)
    return (
      <Link
        to="/$project/$side/discussions/$id"
        params={{ project, side, id: of.discussion_id }}
        hash={of.target_id}
      >
        {title}
      </Link>
    )
  if (of.feedback_id !== null)
    return (
      <Link to="/$project/$side/feedback/$id" params={{ project, side, id: of.feedback_id }}>
        {title}
      </Link>
    )
  return title
}

/** Why the post is in the queue, in words. */
function Why({ of }: { readonly of: QueuedCase }) {
  const names = kindNames()
  if (of.kind === 'reported')
    return (
      <p>
        {t('Reports that count: {count}, weight {weight}', {
          count: of.report_count,
          weight: of.weight,
        })}
      </p>
    )
  if (of.held_by.length === 0) return <p>{t('The first post of its author in a moderated category')}</p>
  return (
    <p>{t('Held by rules: {rules}', { rules: of.held_by.map((kind) => names[kind] ?? kind).join(', ') })}</p>
  )
}

/** A post that waits for a decision, or had one, with all that a moderator needs to know. */
export function CaseView({ of }: { readonly of: QueuedCase }) {
  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.title}>
          <PostLink of={of} />
        </h2>
        <Badge state={of.target_id.startsWith('disc_') ? 'discussion' : kindOf(of)} />
        <Badge state={of.status} />
      </header>
      <p className={styles.meta}>
        <Author id={of.author_id} author={of.author} /> · <Time at={of.created_at} />
      </p>
      <Why of={of} />
      {of.hook_note !== null && (
        <p dir="auto">{t('The outside service says: {note}', { note: of.hook_note })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keyboard. */}
      <div className={styles.text} tabIndex={0}>
        <RichText html={of.content_html} />
      </div>
      {of.files !== undefined && of.files.length > 0 && (
        <ul className={styles.files} aria-label={t('Attachments')}>
          {of.files.map((file) => (
            <li key={file.id}>
              <a href={file.url} target="_blank" rel="noopener noreferrer">
                <bdi>{file.name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      {of.reports.length > 0 && (
        <ul className={styles.reports} aria-label={t('Reports')}>
          {of.reports.map((report) => (
            <li key={report.member_id}>
              <Author id={report.member_id} author={report.author} />:{' '}
              <strong>{reasonNames()[report.reason] ?? report.reason}</strong>
              {report.note !== null && <span dir="auto"> {t('“{text}”', { text: report.note })}</span>}
              {!report.counts && <span> {t('(does not count)')}</span>}
            </li>
          ))}
        </ul>
      )}
      {of.appeal !== null && (
        <section className={styles.appeal} aria-label={t('Appeal')}>
          <p>
            <strong>{t('The author appeals:')}</strong> <span dir="auto">{of.appeal.text}</span>
          </p>
          {of.appeal.decision !== null && <Badge state={of.appeal.decision} />}
        </section>
      )}
      {of.decided_at !== null && (
        <p>
          <Badge state={of.decision ?? ''} /> <Time at={of.decided_at} />
          {of.reason !== null && <span dir="auto"> · {of.reason}</span>}
        </p>
      )}
    </>
  )
}

const kindOf = ({ discussion_id, target_id }: QueuedCase): string => {
  if (discussion_id !== null) return 'comment'
  return target_id.startsWith('fb_') ? 'feedback' : 'comment'
}
