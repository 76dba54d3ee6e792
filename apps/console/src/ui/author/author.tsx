import type { Author as Shown } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { t } from '../../data/words.ts'
import styles from './author.module.css'

interface Props {
  /** The id of the member; null where nobody is named. */
  readonly id: string | null | undefined
  /** From `include=author`. */
  readonly author: Shown | null | undefined
  /** Within a link of its own, the name is text. */
  readonly isText?: boolean
  /** What is shown where nobody is named. */
  readonly nobody?: string
}

/** Who wrote something, by name and badges, with a link to the member. */
export function Author({ id, author, isText = false, nobody }: Props) {
  const { project = '', side = '' } = useParams({ strict: false })
  if (id === null || id === undefined) return <span className={styles.nobody}>{nobody ?? t('Nobody')}</span>
  const name = author?.display_name ?? t('Former member')
  return (
    <span className={styles.author}>
      {isText || !author ? (
        <bdi className={styles.name}>{name}</bdi>
      ) : (
        <Link to="/$project/$side/members/$id" params={{ project, side, id }}>
          <bdi className={styles.name}>{name}</bdi>
        </Link>
      )}
      {author?.badges.map((badge) => (
        <bdi key={`${badge.kind} ${badge.name}`} className={styles.badge}>
          {badge.name}
        </bdi>
      ))}
    </span>
  )
}
