import type { CourseLevel, FullCourse } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { LEVELS } from './levels.ts'
import { useChange } from './queries.ts'

interface Props {
  readonly onClose: () => void
  readonly onCreated: (course: FullCourse) => void
}

/** A new course: a draft, which nobody sees yet. The rest is said in its settings. */
export function NewCourse({ onClose, onCreated }: Props) {
  const [level, setLevel] = useState<string>('beginner')
  const { mutate, isPending, error } = useChange(
    (client, { title, category }: { title: string; category: string }) =>
      client.lms.courses.create({ title, level: level as CourseLevel, ...(category !== '' && { category }) }),
    onCreated,
  )
  return (
    <FormDialog
      title={t('Create a course')}
      verb={t('Create the course')}
      isPending={isPending}
      error={error}
      fields={['title', 'category', 'level']}
      onSubmit={(form) =>
        mutate({ title: String(form.get('title')), category: String(form.get('category')) })
      }
      onClose={onClose}
    >
      <TextField label={t('Title')} name="title" isRequired autoFocus error={faultOf(error, 'title')} />
      <TextField label={t('Category')} name="category" error={faultOf(error, 'category')} />
      <Select
        label={t('Level')}
        isLabelShown
        options={LEVELS.map((id) => ({ id, name: t(id) }))}
        value={level}
        onChange={setLevel}
        error={faultOf(error, 'level')}
      />
      <p>{t('The course is a draft: members see it when you publish it.')}</p>
    </FormDialog>
  )
}
