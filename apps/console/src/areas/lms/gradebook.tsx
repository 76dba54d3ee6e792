import type { GradebookRow } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CoursePage } from './course-page.tsx'
import { Enroll } from './enroll.tsx'
import { useGradebook } from './queries.ts'

/** Who is enrolled in a course, how far they are, and their grades. */
export function Gradebook() {
  const { canChange } = useRights()
  const [isEnrolling, setEnrolling] = useState(false)
  const enroll = canChange && (
    <Button kind="primary" onPress={() => setEnrolling(true)}>
      {t('Enroll a member')}
    </Button>
  )
  return (
    <CoursePage actions={() => enroll}>
      {({ value: course }) => (
        <>
          <Enrollments id={course.id} first={course.status === 'published' && enroll} />
          {isEnrolling && <Enroll course={course} onClose={() => setEnrolling(false)} />}
        </>
      )}
    </CoursePage>
  )
}

function Enrollments({ id, first }: { readonly id: string; readonly first: React.ReactNode }) {
  const list = useGradebook(id)
  return (
    <List
      title={t('Enrollments')}
      list={list}
      filters={[
        { name: 'status', label: t('Status'), values: ['active', 'completed', 'expired', 'canceled'] },
      ]}
      keyOf={({ enrollment_id }) => enrollment_id}
      linkOf={({ enrollment_id }) => ({
        to: '/$project/$side/courses/$id/enrollments/$enrollment',
        params: { ...list.params, id, enrollment: enrollment_id },
      })}
      columns={[
        {
          title: t('Member'),
          cell: ({ student_name, student_id }) => <bdi>{student_name || student_id}</bdi>,
        },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        { title: t('Progress'), cell: ({ progress_percentage: n }) => `${n} %`, isNumber: true },
        { title: t('Best grade'), cell: (row) => gradeOf(row), isNumber: true },
        {
          title: t('Attempts'),
          cell: ({ quizzes }) => sum(quizzes.map(({ attempts }) => attempts)),
          isNumber: true,
        },
        { title: t('Certificate'), cell: ({ certificate_id }) => (certificate_id === null ? '–' : t('Yes')) },
        { title: t('Enrolled on'), cell: ({ enrolled_at }) => <Time at={enrolled_at} /> },
      ]}
      empty={
        <Empty title={t('Nobody is enrolled yet')}>
          <p>{t('Members appear here when they enroll, or when an order, a plan or you enroll them.')}</p>
          {first}
        </Empty>
      }
    />
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/** The best of each quiz, in the mean. */
function gradeOf({ quizzes }: GradebookRow): string {
  const best = quizzes.flatMap(({ best_percentage }) => best_percentage ?? [])
  return best.length === 0 ? '–' : `${Math.round(sum(best) / best.length)} %`
}
