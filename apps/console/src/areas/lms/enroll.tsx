import type { CourseDetail } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { MemberSelect } from '../../ui/member-select/member-select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useActiveCount, useChange } from './queries.ts'

interface Props {
  readonly course: CourseDetail
  readonly onClose: () => void
}

/** The end of a day, as a moment. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString()

/** Enrolls a member, who is found by name or address. */
export function Enroll({ course, onClose }: Props) {
  const [chosen, setChosen] = useState('')
  const { data: active } = useActiveCount(course.id)
  const { mutate, isPending, error } = useChange(
    (client, day: string) =>
      client.lms.enrollments.create({
        ...{ course_id: course.id, student_id: chosen },
        ...(day !== '' && { expires_at: endOf(day) }),
      }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Enroll a member')}
      verb={t('Enroll')}
      isPending={isPending}
      error={error}
      fields={['student_id', 'expires_at']}
      onSubmit={(form) => mutate(String(form.get('until')))}
      onClose={onClose}
    >
      <MemberSelect
        label={t('Member')}
        value={chosen}
        onChange={setChosen}
        error={faultOf(error, 'student_id')}
      />
      <TextField
        label={t('Access until')}
        name="until"
        type="date"
        description={
          course.access_days === null
            ? t('Empty: without an end')
            : t('Empty: {n} {n:day|days}, as the course says', { n: course.access_days })
        }
        error={faultOf(error, 'expires_at')}
      />
      {course.capacity !== null && active !== undefined && (
        <p>
          {t('{count} of {capacity} {capacity:place is|places are} taken.', {
            count: active,
            capacity: course.capacity,
          })}
        </p>
      )}
      {course.price > 0 && <p>{t('The member pays nothing: you give the course.')}</p>}
    </FormDialog>
  )
}
