import type { Enrollment, ProgressOfLesson } from '@guildhall/sdk'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useChange } from './queries.ts'

interface Props {
  readonly enrollment: Enrollment
  readonly onClose: () => void
}

export function CancelEnrollment({ enrollment, onClose }: Props) {
  const { mutate, isPending, error } = useChange(
    (client) => client.lms.enrollments.update(enrollment.id, { status: 'canceled' }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Cancel the enrollment?')}
      verb={t('Cancel the enrollment')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t('The member no longer reaches the lessons, and cannot enroll again. Only you can open it again.')}
      </p>
      <p>{t('Progress, attempts and a certificate stay. Nothing that was paid is given back.')}</p>
    </FormDialog>
  )
}

export function Reopen({ enrollment, onClose }: Props) {
  const { mutate, isPending, error } = useChange(
    (client) => client.lms.enrollments.update(enrollment.id, { status: 'active' }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Open the enrollment again?')}
      verb={t('Open again')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t('The member goes on at {n} %, and takes a place of the course.', {
          n: enrollment.progress_percentage,
        })}
      </p>
    </FormDialog>
  )
}

/** A moment as a day, in the operator's time zone. */
const dayOf = (moment: string | null): string => {
  if (moment === null) return ''
  const at = new Date(moment)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, '0')).join('-')
}

export function ChangeEnd({ enrollment, etag, onClose }: Props & { readonly etag: string | undefined }) {
  const { mutate, isPending, error } = useChange(
    (client, day: string) =>
      client.lms.enrollments.update(
        enrollment.id,
        { expires_at: day === '' ? null : new Date(`${day}T23:59:59`).toISOString() },
        { ...(etag !== undefined && { ifMatch: etag }) },
      ),
    onClose,
  )
  return (
    <FormDialog
      title={t('Change the end of the access')}
      verb={t('Save')}
      isPending={isPending}
      error={error}
      fields={['expires_at']}
      onSubmit={(form) => mutate(String(form.get('until')))}
      onClose={onClose}
    >
      <TextField
        label={t('Access until')}
        name="until"
        type="date"
        defaultValue={dayOf(enrollment.expires_at)}
        description={t('Empty: without an end')}
        autoFocus
        error={faultOf(error, 'expires_at')}
      />
      <p>{t('A day in the past ends the access at once. Progress stays.')}</p>
    </FormDialog>
  )
}

interface LessonProps extends Props {
  readonly lesson: ProgressOfLesson
}

/** What an operator says of a lesson, for the member. */
function useProgressChange(
  { enrollment, lesson, onClose }: LessonProps,
  body: { completed?: true; reset?: true },
) {
  return useChange(
    (client) =>
      client.lms.progress.record({
        ...{
          course_id: enrollment.course_id,
          lesson_id: lesson.lesson_id,
          student_id: enrollment.student_id,
        },
        ...body,
      }),
    onClose,
  )
}

export function Complete(props: LessonProps) {
  const { mutate, isPending, error } = useProgressChange(props, { completed: true })
  return (
    <FormDialog
      title={t('Mark “{title}” as completed?', { title: props.lesson.title })}
      verb={t('Mark as completed')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={props.onClose}
    >
      <p>
        {t(
          'It counts as done, also without its quiz. If it is the last required lesson, the member completes the course and gets the certificate.',
        )}
      </p>
    </FormDialog>
  )
}

export function Reset(props: LessonProps) {
  const { mutate, isPending, error } = useProgressChange(props, { reset: true })
  return (
    <FormDialog
      title={t('Reset “{title}”?', { title: props.lesson.title })}
      verb={t('Reset')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={props.onClose}
    >
      <p>
        {t(
          'The member begins this lesson again. Attempts at quizzes and a completed course stay as they are.',
        )}
      </p>
    </FormDialog>
  )
}
