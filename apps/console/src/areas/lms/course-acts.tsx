import type { CourseDetail } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { useActiveCount, useChange, useRefresh } from './queries.ts'

type Act = 'publish' | 'archive' | 'delete'

/** What is done with a course as a whole. */
export function CourseActs({ read }: Pick<DeleteProps, 'read'>) {
  const { value: course } = read
  const { canChange } = useRights()
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  if (!canChange) return null
  return (
    <>
      {course.status === 'published' ? (
        <Button onPress={() => setAct('archive')}>{t('Archive')}</Button>
      ) : (
        <Button kind="primary" onPress={() => setAct('publish')}>
          {t('Publish')}
        </Button>
      )}
      {course.enrolled_count === 0 && (
        <Button kind="danger" onPress={() => setAct('delete')}>
          {t('Delete')}
        </Button>
      )}
      {act === 'publish' && <Publish course={course} onClose={close} />}
      {act === 'archive' && <Archive course={course} onClose={close} />}
      {act === 'delete' && <Delete read={read} onClose={close} />}
    </>
  )
}

interface Props {
  readonly course: CourseDetail
  readonly onClose: () => void
}

/** Lessons that nobody can complete as they are. */
const unfinishedIn = ({ modules }: CourseDetail) =>
  modules
    .flatMap(({ lessons }) => lessons)
    .filter(
      ({ type, quiz_id, completion_rule }) =>
        type === 'quiz' && completion_rule === 'quiz' && quiz_id === null,
    )

function Publish({ course, onClose }: Props) {
  const { mutate, isPending, error } = useChange((client) => client.lms.courses.publish(course.id), onClose)
  const count = course.modules.reduce((sum, { lessons }) => sum + lessons.length, 0)
  const unfinished = unfinishedIn(course)
  return (
    <FormDialog
      title={t('Publish “{name}”?', { name: course.title })}
      verb={t('Publish the course')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {course.price === 0
          ? t(
              'Everybody sees the course, and members can enroll themselves. It has {count} {count:lesson|lessons}.',
              {
                count,
              },
            )
          : t(
              'Everybody sees the course. It has a price: members enroll by an order or a plan. It has {count} {count:lesson|lessons}.',
              { count },
            )}
      </p>
      {count === 0 && <p>{t('Without lessons nobody can complete it.')}</p>}
      {unfinished.length > 0 && (
        <>
          <p>{t('These quizzes have no questions, so that nobody can pass them:')}</p>
          <ul>
            {unfinished.map(({ id, title }) => (
              <li key={id}>
                <bdi>{title}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  )
}

function Archive({ course, onClose }: Props) {
  const { data: count = 0 } = useActiveCount(course.id)
  const { mutate, isPending, error } = useChange((client) => client.lms.courses.archive(course.id), onClose)
  return (
    <FormDialog
      title={t('Archive “{name}”?', { name: course.title })}
      verb={t('Archive the course')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The course is in no list any more, and nobody can enroll. You can publish it again.')}</p>
      <p>{t('Enrolled members keep their access: {count} {count:is|are} learning now.', { count })}</p>
    </FormDialog>
  )
}

interface DeleteProps extends Pick<Props, 'onClose'> {
  readonly read: Read<CourseDetail>
}

function Delete({ read: { value: course, etag }, onClose }: DeleteProps) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefresh()
  return (
    <Confirm
      title={t('Delete “{name}”?', { name: course.title })}
      verb={t('Delete the course')}
      act={() => client.lms.courses.delete(course.id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({ to: '/$project/$side/courses', params: { project, side } })
        await refresh()
      }}
      onClose={onClose}
    >
      {t('Its modules, lessons and quizzes are deleted. This cannot be undone. Nobody was ever enrolled.')}
    </Confirm>
  )
}
