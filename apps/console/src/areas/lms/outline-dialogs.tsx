import type { CourseDetail, LessonType, OutlineLesson, OutlineModule } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useActiveCount, useChange } from './queries.ts'

const TYPES: readonly LessonType[] = ['text', 'video', 'quiz', 'file']

interface ModuleFieldsProps {
  readonly of?: OutlineModule
  readonly error: Error | null
}

function ModuleFields({ of, error }: ModuleFieldsProps) {
  return (
    <>
      <TextField
        label={t('Title')}
        name="title"
        defaultValue={of?.title ?? ''}
        isRequired
        autoFocus
        error={faultOf(error, 'title')}
      />
      <TextArea
        label={t('Description')}
        name="description"
        defaultValue={of?.description ?? ''}
        error={faultOf(error, 'description')}
      />
    </>
  )
}

const moduleIn = (form: FormData) => ({
  title: String(form.get('title')),
  description: String(form.get('description')),
})

const MODULE_FIELDS = ['title', 'description']

interface NewModuleProps {
  readonly course: CourseDetail
  readonly onClose: () => void
}

export function NewModule({ course, onClose }: NewModuleProps) {
  const { mutate, isPending, error } = useChange(
    (client, body: ReturnType<typeof moduleIn>) => client.lms.modules.create(course.id, body),
    onClose,
  )
  return (
    <FormDialog
      title={t('Add a module')}
      verb={t('Add the module')}
      isPending={isPending}
      error={error}
      fields={MODULE_FIELDS}
      onSubmit={(form) => mutate(moduleIn(form))}
      onClose={onClose}
    >
      <ModuleFields error={error} />
    </FormDialog>
  )
}

interface OneModuleProps {
  readonly module: OutlineModule
  readonly onClose: () => void
}

export function EditModule({ module, onClose }: OneModuleProps) {
  const { mutate, isPending, error } = useChange(
    (client, body: ReturnType<typeof moduleIn>) => client.lms.modules.update(module.id, body),
    onClose,
  )
  return (
    <FormDialog
      title={t('Edit {name}', { name: module.title })}
      verb={t('Save')}
      isPending={isPending}
      error={error}
      fields={MODULE_FIELDS}
      onSubmit={(form) => mutate(moduleIn(form))}
      onClose={onClose}
    >
      <ModuleFields of={module} error={error} />
    </FormDialog>
  )
}

export function RemoveModule({ module, onClose }: OneModuleProps) {
  const { mutate, isPending, error } = useChange((client) => client.lms.modules.delete(module.id), onClose)
  return (
    <FormDialog
      title={t('Remove “{name}”?', { name: module.title })}
      verb={t('Remove')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The module has no lessons. It cannot be brought back.')}</p>
    </FormDialog>
  )
}

/** What becomes of those who learn now, before the outline of a published course changes. */
function ForLearners({
  course,
  text,
}: {
  readonly course: CourseDetail
  readonly text: (n: number) => string
}) {
  const { data: count } = useActiveCount(course.id)
  if (course.status === 'draft' || count === undefined || count === 0) return null
  return <p>{text(count)}</p>
}

interface AddLessonProps {
  readonly course: CourseDetail
  readonly module: OutlineModule
  readonly onClose: () => void
  /** @param lesson its id */
  readonly onCreated: (lesson: string) => void
}

export function AddLesson({ course, module, onClose, onCreated }: AddLessonProps) {
  const [type, setType] = useState<string>('text')
  const { mutate, isPending, error } = useChange(
    (client, title: string) => client.lms.lessons.create(module.id, { title, type: type as LessonType }),
    ({ id }) => onCreated(id),
  )
  return (
    <FormDialog
      title={t('Add a lesson to {title}', { title: module.title })}
      verb={t('Add the lesson')}
      isPending={isPending}
      error={error}
      fields={['title', 'type']}
      onSubmit={(form) => mutate(String(form.get('title')))}
      onClose={onClose}
    >
      <TextField label={t('Title')} name="title" isRequired autoFocus error={faultOf(error, 'title')} />
      <Select
        label={t('Type')}
        isLabelShown
        options={TYPES.map((id) => ({ id, name: t(id) }))}
        value={type}
        onChange={setType}
        error={faultOf(error, 'type')}
      />
      <p>{t('The type cannot be changed later. The lesson is the last of its module until you move it.')}</p>
      <ForLearners
        course={course}
        text={(count) =>
          t(
            '{count} {count:member is|members are} learning now: progress is counted again with this lesson. Who has completed the course keeps that.',
            { count },
          )
        }
      />
    </FormDialog>
  )
}

interface RemoveLessonProps {
  readonly course: CourseDetail
  readonly lesson: OutlineLesson
  readonly onClose: () => void
}

export function RemoveLesson({ course, lesson, onClose }: RemoveLessonProps) {
  const { mutate, isPending, error } = useChange((client) => client.lms.lessons.delete(lesson.id), onClose)
  return (
    <FormDialog
      title={t('Remove “{name}”?', { name: lesson.title })}
      verb={t('Remove the lesson')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {lesson.type === 'quiz'
          ? t(
              'Its questions, all attempts at it and the progress of members in it are deleted. This cannot be undone.',
            )
          : t('Its content and the progress of members in it are deleted. This cannot be undone.')}
      </p>
      <ForLearners
        course={course}
        text={(count) =>
          t(
            '{count} {count:member is|members are} learning now. Who has done everything else completes the course.',
            { count },
          )
        }
      />
    </FormDialog>
  )
}
