import type { Lesson, LessonChanges } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { lmsLessonsUpdate } from '../../forms.generated/lms.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { ReadOnlyForm } from '../../ui/schema-form/read-only.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import type { Values } from '../../ui/schema-form/values.ts'
import styles from './editor.module.css'
import { Effects } from './effects.tsx'
import { lessonTexts } from './lesson-texts.tsx'
import { useActiveCount, useCourse, useLesson, useRefresh } from './queries.ts'

/** The fields of each lesson, and those that only some types have. */
const FIELDS = [
  ...['title', 'content', 'file_id', 'url', 'captions', 'duration_minutes', 'completion_rule'],
  ...['drip_days', 'required'],
]
const TYPES_OF_FIELD: Readonly<Record<string, readonly string[]>> = {
  file_id: ['video', 'file'],
  url: ['video', 'file'],
  captions: ['video'],
}

/** A lesson: its text, video or file, and when it opens. */
export function LessonEditor() {
  const { id = '', lesson: lessonId = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useLesson(lessonId)
  const { data: course } = useCourse(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={read.value.title}
      back={
        <Link to="/$project/$side/courses/$id" params={{ project, side, id }}>
          {course?.value.title ?? t('Its course')}
        </Link>
      }
      actions={
        read.value.type === 'quiz' && (
          <Link
            to="/$project/$side/courses/$id/lessons/$lesson/quiz"
            params={{ project, side, id, lesson: lessonId }}
          >
            {t('Questions of the quiz')}
          </Link>
        )
      }
    >
      <Section title={t('Lesson')}>
        <p className={styles.soft}>{t('Type of the lesson: {type}', { type: wordOf(read.value.type) })}</p>
        <LessonForm key={lessonId} read={read} />
      </Section>
    </Page>
  )
}

/** A lesson by the fields of its form. */
const valuesOf = ({ value: { file, captions = [], ...lesson }, etag }: Read<Lesson>) => ({
  value: {
    ...lesson,
    file_id: file?.id ?? null,
    captions: captions.map(({ id, language, label }) => ({ file_id: id, language, label })),
  },
  etag,
})

function LessonForm({ read }: { readonly read: Read<Lesson> }) {
  const { id, type, course_id } = read.value
  const { canChange } = useRights()
  const { data: active = 0 } = useActiveCount(course_id)
  const [latest, setLatest] = useState(read)
  const { client } = useProject()
  const { readAgain } = useLesson(id)
  const refresh = useRefresh()
  const form = useSchemaForm<LessonChanges>({
    operation: lmsLessonsUpdate,
    fields: FIELDS.filter((name) => TYPES_OF_FIELD[name]?.includes(type) ?? true),
    read: valuesOf(read),
    readAgain: async () => {
      const next = await readAgain()
      setLatest(next)
      return valuesOf(next)
    },
    of: id,
    send: (body, options) => client.lms.lessons.update(id, body, options),
    onDone: refresh,
  })
  const texts = lessonTexts(type, [read.value, latest.value])
  if (!canChange) return <ReadOnlyForm form={form} {...texts} />
  return (
    <SchemaForm form={form} {...texts}>
      <Effects said={effectsOf(form.body, active)} />
    </SchemaForm>
  )
}

/** What a change does to those who are enrolled. */
const effectsOf = (changes: Values, count: number): string[] => [
  ...('required' in changes
    ? [
        t(
          'The progress of {count} {count:member who is|members who are} learning is counted again; who then has everything completes the course.',
          { count },
        ),
      ]
    : []),
  ...('drip_days' in changes
    ? [
        t(
          'The lesson opens anew for {count} {count:member who is|members who are} learning: by the day of enrollment. Who has completed it keeps that.',
          { count },
        ),
      ]
    : []),
  ...('completion_rule' in changes ? [t('Who has completed the lesson keeps that.')] : []),
]
