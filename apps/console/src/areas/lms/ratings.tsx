import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CoursePage } from './course-page.tsx'
import styles from './editor.module.css'
import { useRatings } from './queries.ts'

/** What members say of a course. */
export function CourseRatings() {
  return (
    <CoursePage>
      {({ value: { id, rating, rating_count } }) => (
        <>
          {rating_count > 0 && <p>{t('{stars} of 5, by {count}', { stars: rating, count: rating_count })}</p>}
          <Ratings id={id} />
        </>
      )}
    </CoursePage>
  )
}

function Ratings({ id }: { readonly id: string }) {
  const list = useRatings(id)
  const { project, side } = useProject()
  return (
    <List
      title={t('Ratings')}
      list={list}
      keyOf={({ student_id }) => student_id}
      columns={[
        {
          title: t('Member'),
          cell: ({ student_id, author }) => (
            <Link to="/$project/$side/members/$id" params={{ project, side, id: student_id }}>
              <bdi>{author?.display_name ?? student_id}</bdi>
            </Link>
          ),
        },
        { title: t('Rating'), cell: ({ rating }) => <Stars count={rating} /> },
        { title: t('Text'), cell: ({ text }) => <bdi className={styles.file}>{text || '–'}</bdi> },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
      empty={
        <Empty title={t('There are no ratings yet')}>
          {t('A member who is or was enrolled can give one to five stars and a text.')}
        </Empty>
      }
    />
  )
}

function Stars({ count }: { readonly count: number }) {
  return (
    <span role="img" aria-label={t('{n} of 5', { n: count })}>
      {'★'.repeat(count)}
      {'☆'.repeat(5 - count)}
    </span>
  )
}
