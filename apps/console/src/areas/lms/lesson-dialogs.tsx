import type { CourseDetail, Lesson, NewLesson, OutlineLesson, OutlineModule } from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { lmsLessonsCreate } from '../../forms.generated/lms.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { ReadFirst } from '../../ui/schema-form/read-first.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { TO_DELETE, useActiveCount, useLesson, useRefresh } from './queries.ts'

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
  const { client } = useProject()
  const refresh = useRefresh()
  const form = useSchemaForm<NewLesson, Lesson>({
    operation: lmsLessonsCreate,
    fields: ['title', 'type'],
    initial: { type: 'text' },
    of: module.id,
    send: (body) => client.lms.lessons.create(module.id, body),
    onDone: async ({ id }) => {
      await refresh()
      onCreated(id)
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Add a lesson to {title}', { title: module.title })}
      verb={t('Add the lesson')}
      labels={{ title: t('Title'), type: t('Type') }}
      descriptions={{ title: '', type: '' }}
      onClose={onClose}
    >
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
    </SchemaFormDialog>
  )
}

interface RemoveLessonProps {
  readonly course: CourseDetail
  readonly lesson: OutlineLesson
  readonly onClose: () => void
}

export function RemoveLesson({ course, lesson: { id, title }, onClose }: RemoveLessonProps) {
  const { client } = useProject()
  const refresh = useRefresh()
  const query = useLesson(id, TO_DELETE)
  return (
    <ReadFirst title={t('Remove “{name}”?', { name: title })} {...{ query, onClose }}>
      {({ value, etag }) => (
        <Confirm
          title={t('Remove “{name}”?', { name: value.title })}
          verb={t('Remove the lesson')}
          act={() => client.lms.lessons.delete(id, { ifMatch: etag })}
          onDone={refresh}
          onClose={onClose}
        >
          <p>
            {value.type === 'quiz'
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
        </Confirm>
      )}
    </ReadFirst>
  )
}
