import type { Enrollment, ProgressOfLesson } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { ShowAttempt } from './attempt.tsx'
import { CertificateSection } from './certificate.tsx'
import { CancelEnrollment, ChangeEnd, Complete, Reopen, Reset } from './enrollment-dialogs.tsx'
import { useAttempts, useCourse, useEnrollment, useProgress } from './queries.ts'

type Open =
  | { readonly dialog: 'cancel' | 'reopen' | 'end' }
  | { readonly dialog: 'complete' | 'reset'; readonly lesson: ProgressOfLesson }

/** A member by name, where the API says it. */
export function useStudent(id: string | undefined) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', id, 'name'],
    enabled: id !== undefined,
    queryFn: ({ signal }) => client.members.get(id ?? '', {}, { signal }),
  })
}

/** One member in one course: progress, grades and certificate. */
export function EnrollmentDetail() {
  const { id = '', enrollment: enrollmentId = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useEnrollment(enrollmentId)
  const { data: course } = useCourse(id)
  const { data: student } = useStudent(read?.value.student_id)
  const { canChange } = useRights()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  if (read === undefined || student === undefined || course === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const enrollment = read.value
  const isOpen = ['active', 'completed'].includes(enrollment.status)
  return (
    <Page
      title={t('{name} in “{course}”', {
        name: student.full_name || student.email,
        course: course.value.title,
      })}
      back={
        <Link to="/$project/$side/courses/$id/enrollments" params={{ project, side, id }}>
          {t('All enrollments')}
        </Link>
      }
      actions={
        canChange && (
          <>
            <Button onPress={() => setOpen({ dialog: 'end' })}>{t('Change the end')}</Button>
            {isOpen ? (
              <Button kind="danger" onPress={() => setOpen({ dialog: 'cancel' })}>
                {t('Cancel the enrollment')}
              </Button>
            ) : (
              <Button kind="primary" onPress={() => setOpen({ dialog: 'reopen' })}>
                {t('Open again')}
              </Button>
            )}
          </>
        )
      }
    >
      <Facts enrollment={enrollment} name={student.full_name || student.email} />
      <Progress
        id={enrollmentId}
        canChange={canChange && isOpen}
        onOpen={(dialog, lesson) => setOpen({ dialog, lesson })}
      />
      <Attempts
        student={enrollment.student_id}
        quizzes={course.value.modules
          .flatMap(({ lessons }) => lessons)
          .filter(({ quiz_id }) => quiz_id !== null)}
      />
      <CertificateSection id={enrollment.certificate_id} name={student.full_name} />
      {open?.dialog === 'cancel' && <CancelEnrollment enrollment={enrollment} onClose={close} />}
      {open?.dialog === 'reopen' && <Reopen enrollment={enrollment} onClose={close} />}
      {open?.dialog === 'end' && <ChangeEnd enrollment={enrollment} etag={read.etag} onClose={close} />}
      {open?.dialog === 'complete' && (
        <Complete enrollment={enrollment} lesson={open.lesson} onClose={close} />
      )}
      {open?.dialog === 'reset' && <Reset enrollment={enrollment} lesson={open.lesson} onClose={close} />}
    </Page>
  )
}

function Facts({ enrollment, name }: { readonly enrollment: Enrollment; readonly name: string }) {
  const { project, side } = useProject()
  const bases: Readonly<Record<string, string>> = {
    order_line: t('An order'),
    feature: t('A plan or a grant'),
    key: t('A key or an operator'),
    free: t('a price of 0'),
  }
  return (
    <Section title={t('Enrollment')}>
      <Fields
        fields={[
          [t('Id'), <code key="id">{enrollment.id}</code>],
          [
            t('Member'),
            <Link
              key="member"
              to="/$project/$side/members/$id"
              params={{ project, side, id: enrollment.student_id }}
            >
              <bdi>{name}</bdi>
            </Link>,
          ],
          [t('Status'), <Badge key="status" state={enrollment.status} />],
          [t('Progress'), `${enrollment.progress_percentage} %`],
          [t('Rests on'), bases[enrollment.basis] ?? enrollment.basis],
          [t('Enrolled on'), <Time key="from" at={enrollment.enrolled_at} />],
          [
            t('Access until'),
            enrollment.expires_at === null ? (
              t('Without an end')
            ) : (
              <Time key="until" at={enrollment.expires_at} />
            ),
          ],
          [t('Completed'), enrollment.completed_at && <Time at={enrollment.completed_at} />],
        ]}
      />
    </Section>
  )
}

interface ProgressProps {
  readonly id: string
  readonly canChange: boolean
  readonly onOpen: (dialog: 'complete' | 'reset', lesson: ProgressOfLesson) => void
}

function Progress({ id, canChange, onOpen }: ProgressProps) {
  const { data, error, refetch } = useProgress(id)
  const reasons: Readonly<Record<string, string>> = {
    not_open_yet: t('Not open yet'),
    not_started: t('Not started'),
    in_progress: t('Started'),
    quiz_not_passed: t('Quiz not passed'),
    quiz_missing: t('The quiz has no questions'),
    no_lessons: t('The course has no lessons'),
  }
  const missing = new Map(
    data?.blockers.map(({ lesson_id, reason }) => [lesson_id, reasons[reason] ?? reason]),
  )
  return (
    <Section title={t('Lessons')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data?.lessons.length === 0 && <Empty title={t('The course has no lessons')} />}
      {data !== undefined && data.lessons.length > 0 && (
        <DataTable
          label={t('Lessons')}
          rows={data.lessons}
          keyOf={({ lesson_id }) => lesson_id}
          columns={[
            { title: t('Lesson'), cell: ({ title }) => <bdi>{title}</bdi> },
            { title: t('Progress'), cell: ({ progress_percentage: n }) => `${n} %`, isNumber: true },
            {
              title: t('State'),
              cell: ({ is_completed, lesson_id }) =>
                is_completed ? <Badge state="completed" /> : (missing.get(lesson_id) ?? '–'),
            },
            {
              title: t('Completed'),
              cell: ({ completed_at }) => (completed_at ? <Time at={completed_at} /> : '–'),
            },
            ...(canChange
              ? [
                  {
                    title: t('Actions'),
                    cell: (lesson: ProgressOfLesson) =>
                      lesson.is_completed ? (
                        <Button
                          label={t('Reset {title}', { title: lesson.title })}
                          onPress={() => onOpen('reset', lesson)}
                        >
                          {t('Reset')}
                        </Button>
                      ) : (
                        <Button
                          label={t('Mark {title} as completed', { title: lesson.title })}
                          onPress={() => onOpen('complete', lesson)}
                        >
                          {t('Mark as completed')}
                        </Button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </Section>
  )
}

interface AttemptsProps {
  readonly student: string
  readonly quizzes: readonly { readonly id: string; readonly title: string }[]
}

/** Every attempt at every quiz of the course. */
function Attempts({ student, quizzes }: AttemptsProps) {
  const { data, error, refetch } = useAttempts(
    student,
    quizzes.map(({ id }) => id),
  )
  const [shown, setShown] = useState<{ readonly id: string; readonly title: string }>()
  if (quizzes.length === 0) return null
  const rows = (data ?? []).flatMap(({ lesson, max_attempts, attempts }) =>
    attempts.map((attempt) => ({
      ...attempt,
      max_attempts,
      title: quizzes.find(({ id }) => id === lesson)?.title ?? lesson,
    })),
  )
  return (
    <Section title={t('Attempts at quizzes')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data !== undefined && rows.length === 0 && <Empty title={t('The member has begun no quiz yet')} />}
      {rows.length > 0 && (
        <DataTable
          label={t('Attempts at quizzes')}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Quiz'), cell: ({ title }) => <bdi>{title}</bdi> },
            {
              title: t('Attempt'),
              cell: ({ number, max_attempts: most }) =>
                most === null ? String(number) : t('{number} of {most}', { number, most }),
            },
            { title: t('State'), cell: ({ status }) => <Badge state={status} /> },
            {
              title: t('Grade'),
              cell: ({ percentage }) => (percentage === null ? '–' : `${percentage} %`),
              isNumber: true,
            },
            {
              title: t('Passed'),
              cell: ({ passed }) => (passed === null ? '–' : passed ? t('Yes') : t('No')),
            },
            {
              title: t('Actions'),
              cell: ({ id, title, number }) => {
                const name = t('“{title}”, attempt {number}', { title, number })
                return (
                  <Button label={t('Show: {name}', { name })} onPress={() => setShown({ id, title: name })}>
                    {t('Show')}
                  </Button>
                )
              },
            },
          ]}
        />
      )}
      {shown && <ShowAttempt {...shown} onClose={() => setShown(undefined)} />}
    </Section>
  )
}
