import type { Quiz } from '@guildhall/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { LeaveGuard } from '../../ui/schema-form/leave.tsx'
import { Offer } from '../../ui/schema-form/schema-form.tsx'
import { useStoredDraft } from '../../ui/schema-form/use-stored-draft.ts'
import type { Draft as StoredFields } from '../../ui/schema-form/values.ts'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Check } from './check.tsx'
import styles from './editor.module.css'
import { readQuiz, useActiveCount, useChange, useLesson, useQuiz, useRefresh } from './queries.ts'
import { QuestionFields } from './question.tsx'
import { QuizConflict, revealName } from './quiz-conflict.tsx'
import { bodyOf, type DraftQuestion, draftOf, newQuestion, poolsOf, type QuizDraft } from './quiz-draft.ts'
import { QuizPreview } from './quiz-preview.tsx'

/** The questions of a lesson of the type quiz. */
export function QuizEditor() {
  const { id = '', lesson = '', project = '', side = '' } = useParams({ strict: false })
  const { data: quiz, error, refetch } = useQuiz(lesson)
  const { data: read } = useLesson(lesson)
  const { canChange } = useRights()
  if (quiz === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const title = read?.value.title ?? ''
  return (
    <Page
      title={t('Quiz “{title}”', { title })}
      back={
        <Link to="/$project/$side/courses/$id/lessons/$lesson" params={{ project, side, id, lesson }}>
          {t('Its lesson')}
        </Link>
      }
      actions={quiz !== null && canChange && <DeleteQuiz lesson={lesson} course={id} />}
    >
      <QuizForm key={lesson} lesson={lesson} course={id} quiz={quiz} />
    </Page>
  )
}

interface DeleteProps {
  readonly lesson: string
  readonly course: string
}

/** Takes all questions away, with what members have answered. */
function DeleteQuiz({ lesson, course }: DeleteProps) {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t('Delete the quiz')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('Delete the quiz?')}
          verb={t('Delete')}
          risk="verb"
          act={() => client.lms.lessons.quiz.delete(lesson)}
          onDone={async () => {
            await navigate({
              to: '/$project/$side/courses/$id/lessons/$lesson',
              params: { project, side, id: course, lesson },
            })
            await refresh()
          }}
          onClose={() => setAsking(false)}
        >
          {t(
            'All attempts of members are deleted with it. Who has passed it keeps the lesson completed. This cannot be undone.',
          )}
        </Confirm>
      )}
    </>
  )
}

interface FormProps {
  readonly lesson: string
  readonly course: string
  readonly quiz: Quiz | null
}

function QuizForm({ lesson, course, quiz }: FormProps) {
  const { canChange } = useRights()
  const { data: active = 0 } = useActiveCount(course)
  const [base, setBase] = useState(() => draftOf(quiz))
  const [draft, setDraft] = useState(base)
  const [isPreview, setPreview] = useState(false)
  const [theirs, setTheirs] = useState<QuizDraft>()
  const save = useChange(
    async (client) => {
      // A quiz is replaced as a whole: what somebody else has saved meanwhile is looked for first.
      const present = await readQuiz(client, lesson)
      const other = draftOf(present)
      if (present === null || JSON.stringify(other) === JSON.stringify(base))
        return client.lms.lessons.quiz.set(lesson, bodyOf(draft))
      setTheirs(other)
      return undefined
    },
    (saved) => {
      if (saved === undefined) return
      const next = draftOf(saved)
      setBase(next)
      setDraft(next)
    },
  )
  const { error } = save
  const set = (fields: Partial<QuizDraft>) => setDraft((before) => ({ ...before, ...fields }))
  const setQuestion = (at: number, fields: Partial<DraftQuestion>) =>
    set({ questions: draft.questions.map((each, i) => (i === at ? { ...each, ...fields } : each)) })
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base)
  const { offered } = useStoredDraft({
    ...{ name: `quiz ${lesson}`, of: '', base, isDirty: isChanged },
    // Compared by their content alone.
    ...{ draft: draft as unknown as StoredFields, before: base as unknown as StoredFields },
    take: (typed, ofBase) => {
      const from = (ofBase as QuizDraft | undefined) ?? base
      setBase(from)
      setDraft({ ...from, ...(typed as Partial<QuizDraft>) })
    },
  })
  const points = draft.questions.reduce((sum, each) => sum + (Number(each.points) || 0), 0)
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {offered && <Offer offered={offered} />}
      <LeaveGuard mustAsk={() => isChanged && !save.isPending} />
      {error && <ErrorNotice error={error} />}
      {theirs && (
        <QuizConflict
          {...{ base, mine: draft, theirs }}
          onMerge={(merged) => {
            setBase(theirs)
            setDraft(merged)
            setTheirs(undefined)
          }}
        />
      )}
      <Rules draft={draft} set={set} error={error} />
      <Section title={t('Questions')}>
        <p className={styles.soft}>
          {t('{count} {count:question|questions}, {points} {points:point|points}', {
            count: draft.questions.length,
            points,
          })}
        </p>
        {draft.questions.map((question, i) => (
          <QuestionFields
            key={question.id}
            place={i}
            count={draft.questions.length}
            question={question}
            error={error}
            onChange={(fields) => setQuestion(i, fields)}
            onMove={(by) => {
              const left = draft.questions.filter((_, at) => at !== i)
              set({ questions: left.toSpliced(i + by, 0, question) })
            }}
            onRemove={() => set({ questions: draft.questions.filter((_, at) => at !== i) })}
          />
        ))}
        {canChange && (
          <div>
            <Button onPress={() => set({ questions: [...draft.questions, newQuestion(draft.questions)] })}>
              {t('Add a question')}
            </Button>
          </div>
        )}
      </Section>
      {quiz !== null && isChanged && (
        <p role="status" className={styles.preview}>
          {t(
            'Attempts that have begun keep their questions and grades. {count} {count:member who is learning gets|members who are learning get} the new questions at the next attempt.',
            { count: active },
          )}
        </p>
      )}
      <div className={styles.actions}>
        {canChange && (
          <Button
            kind="primary"
            type="submit"
            isPending={save.isPending}
            isDisabled={!isChanged && quiz !== null}
          >
            {t('Save the quiz')}
          </Button>
        )}
        <Button onPress={() => setPreview(true)}>{t('See it as a learner')}</Button>
        <span role="status">{save.data !== undefined && !isChanged && t('Saved')}</span>
      </div>
      {isPreview && <QuizPreview draft={draft} onClose={() => setPreview(false)} />}
    </Form>
  )
}

interface RulesProps {
  readonly draft: QuizDraft
  readonly set: (fields: Partial<QuizDraft>) => void
  readonly error: Error | null
}

/** What passes, how often and how long. */
function Rules({ draft, set, error }: RulesProps) {
  const pools = poolsOf(draft)
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={t('Pass mark in percent')}
          name="pass_percentage"
          inputMode="numeric"
          value={draft.pass_percentage}
          onChange={(pass_percentage) => set({ pass_percentage })}
          error={faultOf(error, 'pass_percentage')}
        />
        <TextField
          label={t('Attempts')}
          name="max_attempts"
          inputMode="numeric"
          value={draft.max_attempts}
          onChange={(max_attempts) => set({ max_attempts })}
          description={t('Empty: without a limit')}
          error={faultOf(error, 'max_attempts')}
        />
        <TextField
          label={t('Time limit in minutes')}
          name="time_limit_seconds"
          value={draft.time_limit}
          onChange={(time_limit) => set({ time_limit })}
          description={t('Empty: without a limit')}
          error={faultOf(error, 'time_limit_seconds')}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label={t('Right answers are shown')}
          isLabelShown
          options={['passed', 'always', 'never'].map((id) => ({ id, name: revealName(id) }))}
          value={draft.reveal}
          onChange={(reveal) => set({ reveal: reveal as QuizDraft['reveal'] })}
        />
      </div>
      <Check isOn={draft.shuffle} onChange={(shuffle) => set({ shuffle })}>
        {t('Each attempt has the questions in another order')}
      </Check>
      {pools.length > 0 && (
        <fieldset className={styles.group}>
          <legend>{t('Pools')}</legend>
          <p className={styles.soft}>
            {t('Of the questions of a pool, so many are drawn for each attempt.')}
          </p>
          {pools.map((name, i) => (
            <TextField
              key={name}
              label={t('Drawn of “{name}”', { name })}
              name={`draw-${name}`}
              inputMode="numeric"
              value={draft.draws[name] ?? '1'}
              onChange={(draw) => set({ draws: { ...draft.draws, [name]: draw } })}
              error={faultOf(error, `pools[${i}]`)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
