import { t } from '../../data/words.ts'
import { Merge } from '../../ui/schema-form/merge.tsx'
import { changedFields, type Draft, type DraftValue, mergedDraft } from '../../ui/schema-form/values.ts'
import type { DraftQuestion, QuizDraft } from './quiz-draft.ts'

interface Props {
  /** The quiz as it was read, as it is typed here, and as somebody else has saved it meanwhile. */
  readonly base: QuizDraft
  readonly mine: QuizDraft
  readonly theirs: QuizDraft
  /** Goes on with what both have changed. */
  readonly onMerge: (merged: QuizDraft) => void
}

const labels = (): Readonly<Record<keyof QuizDraft, string>> => ({
  pass_percentage: t('Pass mark in percent'),
  max_attempts: t('Attempts'),
  time_limit: t('Time limit in minutes'),
  shuffle: t('Each attempt has the questions in another order'),
  reveal: t('Right answers are shown'),
  questions: t('Questions'),
  draws: t('Pools'),
})

// A draft of a quiz has the fields of a form, compared by their content alone.
const asDraft = (draft: QuizDraft): Draft => draft as unknown as Draft

/** What somebody else has changed of the same quiz, by field. The questions are one of the fields. */
export function QuizConflict({ base, mine, theirs, onMerge }: Props) {
  const drafts = { before: asDraft(base), mine: asDraft(mine), theirs: asDraft(theirs) }
  return (
    <Merge
      conflict={{
        ...{ base: drafts.before, mine: drafts.mine, theirs: drafts.theirs },
        changed: changedFields(drafts.before, drafts.theirs),
        merge: (keep) => onMerge(mergedDraft({ ...drafts, keep }) as unknown as QuizDraft),
      }}
      fields={Object.keys(labels()).map((name) => ({ name, type: 'value' }))}
      labelOf={({ name }) => labels()[name as keyof QuizDraft]}
      textOf={({ name }, value) => textOf(name, value)}
    />
  )
}

function textOf(name: string, value: DraftValue | undefined): string {
  if (name === 'questions')
    return (value as unknown as readonly DraftQuestion[])
      .map(({ text }) => t('“{text}”', { text }))
      .join(', ')
  if (name === 'draws')
    return Object.entries(value as Draft)
      .map(([pool, drawn]) => `${pool}: ${drawn}`)
      .join(', ')
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (name === 'reveal') return revealName(String(value))
  return value === '' ? t('None') : String(value)
}

/** When right answers are shown, in words. */
export const revealName = (reveal: string): string =>
  ({
    passed: t('After passing or the last attempt'),
    always: t('After each attempt'),
    never: t('Never'),
  })[reveal] ?? reveal
