import { spokenLanguage, t, wordOf } from '../../data/words.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { titleOf } from './list.tsx'
import { usePublicRoadmap } from './queries.ts'
import styles from './roadmap.module.css'

/** The roadmap as the site of the project gets it: public items that are planned, in progress or done. */
export function PublicRoadmap() {
  const { data, error, refetch } = usePublicRoadmap(true)
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      <p className={styles.hint}>{t('Private items, and those that moderators hold, are not in it.')}</p>
      <div className={styles.board}>
        {data?.map(({ status, total, items }) => (
          <section key={status} className={styles.column} aria-label={wordOf(status)}>
            <h2 className={styles.name}>
              {wordOf(status)} <span className={styles.count}>{total.toLocaleString(spokenLanguage())}</span>
            </h2>
            <ul className={styles.cards}>
              {items.map((item) => (
                <li key={item.id} className={styles.card}>
                  <div className={styles.body}>
                    <bdi>{titleOf(item)}</bdi>
                    <p className={styles.meta}>
                      {t('{count} {count:vote|votes}', { count: item.vote_count })}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
