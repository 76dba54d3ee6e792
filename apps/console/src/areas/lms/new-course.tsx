import type { FullCourse, NewCourse as NewCourseBody } from '@guildhall/sdk'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { lmsCoursesCreate } from '../../forms.generated/lms.ts'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useRefresh } from './queries.ts'

interface Props {
  readonly onClose: () => void
  readonly onCreated: (course: FullCourse) => void
}

/** A new course: a draft, which nobody sees yet. The rest is said in its settings. */
export function NewCourse({ onClose, onCreated }: Props) {
  const { client } = useProject()
  const refresh = useRefresh()
  const form = useSchemaForm<NewCourseBody, FullCourse>({
    operation: lmsCoursesCreate,
    fields: ['title', 'category', 'level'],
    initial: { level: 'beginner' },
    send: (body) => client.lms.courses.create(body),
    onDone: async (course) => {
      await refresh()
      onCreated(course)
    },
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Create a course')}
      verb={t('Create the course')}
      labels={{ title: t('Title'), category: t('Category'), level: t('Level') }}
      descriptions={{ title: '', category: '', level: '' }}
      onClose={onClose}
    >
      <p>{t('The course is a draft: members see it when you publish it.')}</p>
    </SchemaFormDialog>
  )
}
