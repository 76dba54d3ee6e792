import type { ListEnrollmentsQuery } from '@guildhall/sdk'
import { linkedPage } from '../../data/linked-page.ts'
import { PAGE_SIZE, useList } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'

/** So many are asked for at once, because this list has no numbers of pages. */
const MANY = 100

/** The courses in which a member is enrolled, or was. @param props.id of the member */
export function CoursesOf({ id }: { readonly id: string }) {
  const list = useList(`courses of ${id}`, (client, { page = 1, ...query }, signal) => {
    const asked = { ...query, student_id: id, limit: MANY } as ListEnrollmentsQuery
    return linkedPage(client.lms.enrollments.list(asked, { signal }), page, PAGE_SIZE)
  })
  return (
    <List
      title={t('Courses')}
      list={list}
      keyOf={({ id: enrollment }) => enrollment}
      linkOf={({ id: enrollment, course_id: course }) => ({
        to: '/$project/$side/courses/$id/enrollments/$enrollment',
        params: { ...list.params, id: course, enrollment },
      })}
      columns={[
        { title: t('Course'), cell: ({ courses: { title } }) => <bdi>{title}</bdi> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        { title: t('Progress'), cell: ({ progress_percentage: n }) => `${n} %`, isNumber: true },
        {
          title: t('Enrolled on'),
          cell: ({ enrolled_at }) => <Time at={enrolled_at} />,
          sort: 'enrolled_at',
        },
      ]}
      empty={
        <Empty title={t('The member is enrolled in no course')}>
          {t('You enroll members on the screen of a course, under “Enrollments”.')}
        </Empty>
      }
    />
  )
}
