import type { Lesson, LessonChanges, LessonCompletionRule } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { Form } from 'react-aria-components/Form'
import { faultOf, isOnFields } from '../../data/faults.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { MarkdownField } from '../../ui/markdown-field/markdown-field.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LeaveGuard } from '../../ui/schema-form/leave.tsx'
import { Offer } from '../../ui/schema-form/schema-form.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Check } from './check.tsx'
import { Conflict } from './conflict.tsx'
import styles from './editor.module.css'
import { FileField, type KeptFile } from './file-field.tsx'
import { numberIn, typed } from './numbers.ts'
import { useActiveCount, useChange, useCourse, useLesson } from './queries.ts'
import { isConflict, useEdit } from './use-edit.ts'

const RULES: readonly LessonCompletionRule[] = ['view', 'percent', 'quiz', 'manual']
const FIELDS = [...['title', 'content', 'url', 'file_id', 'duration_minutes', 'completion_rule', 'drip_days']]

const draftOf = (lesson: Lesson) => ({
  title: lesson.title,
  content: lesson.content ?? '',
  url: lesson.url ?? '',
  file: (lesson.file ?? null) as KeptFile | null,
  duration_minutes: typed(lesson.duration_minutes),
  completion_rule: lesson.completion_rule as string,
  required: lesson.required,
  drip_days: typed(lesson.drip_days),
})
type Draft = ReturnType<typeof draftOf>

/** What is sent of what was typed. */
function bodyOf({
  url,
  file,
  duration_minutes,
  drip_days,
  completion_rule,
  ...others
}: Partial<Draft>): LessonChanges {
  return {
    ...others,
    ...(url !== undefined && { url: url.trim() === '' ? null : url.trim() }),
    ...(file !== undefined && { file_id: file?.id ?? null }),
    ...(duration_minutes !== undefined && { duration_minutes: numberIn(duration_minutes) }),
    ...(drip_days !== undefined && { drip_days: numberIn(drip_days) ?? 0 }),
    ...(completion_rule !== undefined && { completion_rule: completion_rule as LessonCompletionRule }),
  }
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
      <LessonForm key={lessonId} read={read} />
    </Page>
  )
}

function LessonForm({ read }: { readonly read: Read<Lesson> }) {
  const { id, type, course_id } = read.value
  const { canChange } = useRights()
  const latest = useLesson(id)
  const { data: active = 0 } = useActiveCount(course_id)
  const edit = useEdit(`lesson ${id}`, read, draftOf)
  const save = useChange(
    (client) => client.lms.lessons.update(id, bodyOf(edit.changes), edit.ifMatch),
    async () => {
      const { data } = await latest.refetch()
      if (data) edit.restart(data)
    },
  )
  const { draft, set } = edit
  const error = isConflict(save.error) ? null : save.error
  const load = async () => {
    const { data } = await latest.refetch()
    if (data) edit.rebase(data)
    save.reset()
  }
  const text = (
    field: 'title' | 'url' | 'duration_minutes' | 'drip_days',
    label: string,
    description?: string,
  ) => (
    <TextField
      label={label}
      name={field}
      value={draft[field]}
      onChange={(value) => set({ [field]: value } as Partial<Draft>)}
      error={faultOf(error, field)}
      {...(description !== undefined && { description })}
    />
  )
  return (
    <Form
      className={`${styles.form} ${styles.wide}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (edit.isChanged) save.mutate()
      }}
    >
      {edit.offered && <Offer offered={edit.offered} />}
      <LeaveGuard mustAsk={() => edit.isChanged && !save.isPending} />
      {isConflict(save.error) && <Conflict onLoad={load} />}
      {error && !isOnFields(error, FIELDS) && <ErrorNotice error={error} />}
      <p className={styles.soft}>{t('Type of the lesson: {type}', { type: t(type) })}</p>
      {text('title', t('Title'))}
      <MarkdownField
        label={t('Content')}
        name="content"
        value={draft.content}
        onChange={(content) => set({ content })}
        error={faultOf(error, 'content')}
      />
      {(type === 'video' || type === 'file') && (
        <Source
          type={type === 'video' ? 'video' : 'file'}
          draft={draft}
          set={set}
          error={error}
          canChange={canChange}
        />
      )}
      <div className={styles.pair}>
        {text('duration_minutes', t('Duration in minutes'))}
        <RuleSelect
          type={type}
          value={draft.completion_rule}
          onChange={(completion_rule) => set({ completion_rule })}
        />
        {text('drip_days', t('Opens after days'), t('Days after the enrollment; 0: at once'))}
      </div>
      <Check isOn={draft.required} onChange={(required) => set({ required })}>
        {t('The course is complete only with this lesson')}
      </Check>
      <Effects changes={edit.changes} active={active} />
      {canChange && (
        <div className={styles.actions}>
          <Button kind="primary" type="submit" isPending={save.isPending} isDisabled={!edit.isChanged}>
            {t('Save')}
          </Button>
          <span role="status">{save.isSuccess && !edit.isChanged && t('Saved')}</span>
        </div>
      )}
    </Form>
  )
}

interface SourceProps {
  readonly type: 'video' | 'file'
  readonly draft: Draft
  readonly set: (fields: Partial<Draft>) => void
  readonly error: Error | null
  readonly canChange: boolean
}

/** Where the video or the file comes from: a file of this project, or an address. */
function Source({ type, draft, set, error, canChange }: SourceProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{type === 'video' ? t('Video') : t('File')}</legend>
      <FileField
        label={type === 'video' ? t('Upload a video') : t('Upload a file')}
        accept={type === 'video' ? ['video/*'] : []}
        file={draft.file}
        onChange={(file) => set({ file })}
        canChange={canChange}
        error={faultOf(error, 'file_id')}
      />
      <TextField
        label={t('Or its address')}
        name="url"
        value={draft.url}
        onChange={(url) => set({ url })}
        description={t('An https address, where it is not a file of this project')}
        error={faultOf(error, 'url')}
      />
    </fieldset>
  )
}

interface RuleProps {
  readonly type: string
  readonly value: string
  readonly onChange: (rule: string) => void
}

function RuleSelect({ type, value, onChange }: RuleProps) {
  const names: Readonly<Record<string, string>> = {
    view: t('when the member says so'),
    percent: t('after 90 % of it'),
    quiz: t('when its quiz is passed'),
    manual: t('when you say so'),
  }
  return (
    <Select
      label={t('Completed')}
      isLabelShown
      options={RULES.filter((rule) => rule !== 'quiz' || type === 'quiz').map((rule) => ({
        id: rule,
        name: names[rule] ?? rule,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}

/** What a change does to those who are enrolled, before it is saved. */
function Effects({ changes, active }: { readonly changes: Partial<Draft>; readonly active: number }) {
  const said = [
    ...(changes.required === undefined
      ? []
      : [
          t(
            'The progress of {count} {count:member who is|members who are} learning is counted again; who then has everything completes the course.',
            { count: active },
          ),
        ]),
    ...(changes.drip_days === undefined
      ? []
      : [
          t(
            'The lesson opens anew for {count} {count:member who is|members who are} learning: by the day of enrollment. Who has completed it keeps that.',
            { count: active },
          ),
        ]),
    ...(changes.completion_rule === undefined ? [] : [t('Who has completed the lesson keeps that.')]),
  ]
  if (said.length === 0) return null
  return (
    <div role="status" className={styles.preview}>
      <p>{t('What the change does:')}</p>
      <ul>
        {said.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  )
}
