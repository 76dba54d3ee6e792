import type { CourseDetail } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Views } from '../../ui/views/views.tsx'
import styles from './course-page.module.css'
import { useCourse } from './queries.ts'

interface Props {
  readonly actions?: (read: Read<CourseDetail>) => ReactNode
  readonly children: (read: Read<CourseDetail>) => ReactNode
}

/** What the screens of a course share: its title, its state, and the way between them. */
export function CoursePage({ actions, children }: Props) {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useCourse(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={read.value.title}
      back={
        <Link to="/$project/$side/courses" params={{ project, side }}>
          {t('All courses')}
        </Link>
      }
      actions={actions?.(read)}
    >
      <p className={styles.state}>
        <Badge state={read.value.status} />
      </p>
      <Views
        label={t('Screens of the course')}
        views={[
          { path: `courses/${id}`, name: t('Outline') },
          { path: `courses/${id}/enrollments`, name: t('Enrollments') },
          { path: `courses/${id}/ratings`, name: t('Ratings') },
          { path: `courses/${id}/settings`, name: t('Settings') },
        ]}
      />
      {children(read)}
    </Page>
  )
}
