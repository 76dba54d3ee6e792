import type { CourseDetail as Course, OutlineLesson, OutlineModule } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t, wordOf } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { Money } from '../../ui/money/money.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CourseActs } from './course-acts.tsx'
import { CoursePage } from './course-page.tsx'
import { AddLesson, RemoveLesson } from './lesson-dialogs.tsx'
import { EditModule, NewModule, RemoveModule } from './module-dialogs.tsx'
import { Outline } from './outline.tsx'

type Open =
  | { readonly dialog: 'new module' }
  | { readonly dialog: 'edit module' | 'remove module' | 'add lesson'; readonly module: OutlineModule }
  | { readonly dialog: 'remove lesson'; readonly lesson: OutlineLesson }

/** A course: what it is, and its outline. */
export function CourseDetail() {
  return (
    <CoursePage actions={(read) => <CourseActs read={read} />}>
      {({ value: course }) => (
        <>
          <OutlineSection course={course} />
          <Facts course={course} />
        </>
      )}
    </CoursePage>
  )
}

function OutlineSection({ course }: { readonly course: Course }) {
  const { canChange } = useRights()
  const { project, side } = useProject()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = canChange && (
    <Button onPress={() => setOpen({ dialog: 'new module' })}>{t('Add a module')}</Button>
  )
  return (
    <Section title={t('Outline')}>
      {course.modules.length === 0 ? (
        <Empty title={t('This course has no modules yet')}>
          <p>{t('Lessons are in modules. Add the first module, then its lessons.')}</p>
          {add}
        </Empty>
      ) : (
        <>
          <Outline
            course={course}
            onAdd={(module) => setOpen({ dialog: 'add lesson', module })}
            onEdit={(module) => setOpen({ dialog: 'edit module', module })}
            onRemove={(of) =>
              setOpen(
                'lessons' in of
                  ? { dialog: 'remove module', module: of }
                  : { dialog: 'remove lesson', lesson: of },
              )
            }
          />
          <div>{add}</div>
        </>
      )}
      {open?.dialog === 'new module' && <NewModule course={course} onClose={close} />}
      {open?.dialog === 'edit module' && <EditModule module={open.module} onClose={close} />}
      {open?.dialog === 'remove module' && <RemoveModule module={open.module} onClose={close} />}
      {open?.dialog === 'add lesson' && (
        <AddLesson
          module={open.module}
          course={course}
          onClose={close}
          onCreated={(lesson) =>
            navigate({
              to: '/$project/$side/courses/$id/lessons/$lesson',
              params: { project, side, id: course.id, lesson },
            })
          }
        />
      )}
      {open?.dialog === 'remove lesson' && (
        <RemoveLesson course={course} lesson={open.lesson} onClose={close} />
      )}
    </Section>
  )
}

function Facts({ course }: { readonly course: Course }) {
  const { access_days: days, capacity, price, currency } = course
  return (
    <Section title={t('Course')}>
      <Fields
        fields={[
          [t('Id'), <code key="id">{course.id}</code>],
          [t('Slug'), <code key="slug">{course.slug}</code>],
          [t('Description'), <bdi key="description">{course.description}</bdi>],
          [t('Category'), course.category],
          [t('Level'), wordOf(course.level)],
          [
            t('Price'),
            price === 0 ? t('Free of charge') : <Money key="price" amount={price} currency={currency} />,
          ],
          [
            t('Access'),
            days === null ? t('Without an end') : t('{n} {n:day|days} from the enrollment', { n: days }),
          ],
          [t('Places'), capacity === null ? t('Without a limit') : capacity.toLocaleString(spokenLanguage())],
          [t('Enrolled'), course.enrolled_count.toLocaleString(spokenLanguage())],
          [
            t('Rating'),
            course.rating_count === 0
              ? null
              : t('{stars} of 5, by {count}', { stars: course.rating, count: course.rating_count }),
          ],
          [t('Certificates'), course.certificates ? t('Yes') : t('No')],
          [t('Created'), <Time key="created" at={course.created_at} />],
          [t('Last change'), <Time key="updated" at={course.updated_at} />],
        ]}
      />
    </Section>
  )
}
