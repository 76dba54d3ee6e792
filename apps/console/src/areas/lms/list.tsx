import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t, wordOf } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Money } from '../../ui/money/money.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { LEVELS } from './levels.ts'
import { NewCourse } from './new-course.tsx'
import { useCourses } from './queries.ts'

export function CourseList() {
  const list = useCourses()
  const navigate = useNavigate()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const create = canChange && (
    <Button kind="primary" onPress={() => setCreating(true)}>
      {t('Create a course')}
    </Button>
  )
  return (
    <>
      <ListScreen
        title={t('Courses')}
        list={list}
        actions={create}
        searchLabel={t('Search courses')}
        filters={[
          { name: 'status', label: t('Status'), values: ['draft', 'published', 'archived'] },
          { name: 'level', label: t('Level'), values: LEVELS },
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/courses/$id', params: { ...list.params, id } })}
        columns={[
          { title: t('Title'), cell: ({ title }) => <bdi>{title}</bdi>, sort: 'title' },
          { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
          { title: t('Level'), cell: ({ level }) => wordOf(level) },
          {
            title: t('Price'),
            cell: ({ price, currency = 'usd' }) =>
              price === 0 ? t('Free') : <Money amount={price} currency={currency} />,
            isNumber: true,
          },
          {
            title: t('Enrolled'),
            cell: ({ enrolled_count: n }) => n.toLocaleString(spokenLanguage()),
            isNumber: true,
          },
          {
            title: t('Created'),
            cell: ({ created_at }) => created_at && <Time at={created_at} />,
            sort: 'created_at',
          },
        ]}
        empty={
          <Empty title={t('There are no courses yet')}>
            <p>
              {t(
                'A course has modules with lessons and quizzes. Members enroll, learn and get certificates.',
              )}
            </p>
            {create}
          </Empty>
        }
      />
      {isCreating && (
        <NewCourse
          onClose={() => setCreating(false)}
          onCreated={({ id }) =>
            navigate({ to: '/$project/$side/courses/$id', params: { ...list.params, id } })
          }
        />
      )}
    </>
  )
}
