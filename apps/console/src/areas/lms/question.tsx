import type { QuizQuestionType } from '@guildhall/sdk'
import { faultOf } from '../../data/faults.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from './editor.module.css'
import { type DraftQuestion, freeId, QUESTION_TYPES } from './quiz-draft.ts'

interface Props {
  /** From 0. */
  readonly place: number
  readonly count: number
  readonly question: DraftQuestion
  readonly error: Error | null
  readonly onChange: (fields: Partial<DraftQuestion>) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

const typeName = (type: QuizQuestionType): string =>
  ({
    single: t('One right option'),
    multiple: t('Several right options'),
    text: t('A text'),
    number: t('A number'),
  })[type]

/** One question with its right answers. */
export function QuestionFields({ place, count, question, error, onChange, onMove, onRemove }: Props) {
  const { canChange } = useRights()
  const number = place + 1
  const fault = (field: string) => faultOf(error, `questions[${place}].${field}`)
  return (
    <fieldset className={styles.group}>
      <legend>{t('Question {number}', { number })}</legend>
      <TextArea
        label={t('Text')}
        name={`text-${question.id}`}
        rows={2}
        value={question.text}
        onChange={(text) => onChange({ text })}
        error={fault('text')}
      />
      <div className={styles.pair}>
        <Select
          label={t('Answer')}
          isLabelShown
          options={QUESTION_TYPES.map((type) => ({ id: type, name: typeName(type) }))}
          value={question.type}
          onChange={(type) => onChange({ type: type as QuizQuestionType, correct: [] })}
          error={fault('type')}
        />
        <TextField
          label={t('Points')}
          name={`points-${question.id}`}
          inputMode="numeric"
          value={question.points}
          onChange={(points) => onChange({ points })}
          error={fault('points')}
        />
        <TextField
          label={t('Pool')}
          name={`pool-${question.id}`}
          value={question.pool}
          onChange={(pool) => onChange({ pool })}
          description={t('Empty: the question is in every attempt')}
          error={fault('pool')}
        />
      </div>
      {(question.type === 'single' || question.type === 'multiple') && (
        <Options
          question={question}
          number={number}
          onChange={onChange}
          error={fault('options') ?? fault('correct_options')}
        />
      )}
      {question.type === 'text' && (
        <TextArea
          label={t('Accepted answers')}
          name={`accepted-${question.id}`}
          rows={3}
          value={question.accepted}
          onChange={(accepted) => onChange({ accepted })}
          description={t('One a line. Upper and lower case are the same.')}
          error={fault('accepted_texts')}
        />
      )}
      {question.type === 'number' && <RightNumber question={question} onChange={onChange} fault={fault} />}
      <TextArea
        label={t('Explanation')}
        name={`explanation-${question.id}`}
        rows={2}
        value={question.explanation}
        onChange={(explanation) => onChange({ explanation })}
        description={t('Shown with the right answer')}
        error={fault('explanation')}
      />
      {canChange && (
        <Acts {...{ number, isFirst: place === 0, isLast: number === count, onMove, onRemove }} />
      )}
    </fieldset>
  )
}

interface ActsProps extends Pick<Props, 'onMove' | 'onRemove'> {
  readonly number: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

function Acts({ number, isFirst, isLast, onMove, onRemove }: ActsProps) {
  return (
    <div className={styles.actions}>
      <Button
        label={t('Move question {number} up', { number })}
        isDisabled={isFirst}
        onPress={() => onMove(-1)}
      >
        ↑
      </Button>
      <Button
        label={t('Move question {number} down', { number })}
        isDisabled={isLast}
        onPress={() => onMove(1)}
      >
        ↓
      </Button>
      <Button
        label={t('Remove question {number}', { number })}
        isDisabled={isFirst && isLast}
        onPress={onRemove}
      >
        {t('Remove')}
      </Button>
    </div>
  )
}

interface RightNumberProps {
  readonly question: DraftQuestion
  readonly onChange: (fields: Partial<DraftQuestion>) => void
  readonly fault: (field: string) => string | undefined
}

function RightNumber({ question, onChange, fault }: RightNumberProps) {
  return (
    <div className={styles.pair}>
      <TextField
        label={t('Right number')}
        name={`number-${question.id}`}
        value={question.number}
        onChange={(value) => onChange({ number: value })}
        error={fault('correct_number')}
      />
      <TextField
        label={t('Tolerance')}
        name={`tolerance-${question.id}`}
        value={question.tolerance}
        onChange={(tolerance) => onChange({ tolerance })}
        description={t('So much more or less is right too')}
        error={fault('tolerance')}
      />
    </div>
  )
}

interface OptionsProps {
  readonly question: DraftQuestion
  readonly number: number
  readonly error: string | undefined
  readonly onChange: (fields: Partial<DraftQuestion>) => void
}

/** The options of a question; those that are right are ticked. */
function Options({ question: { id, type, options, correct }, number, error, onChange }: OptionsProps) {
  const { canChange } = useRights()
  const tick = (option: string, isOn: boolean) => {
    const others = type === 'single' ? [] : correct.filter((each) => each !== option)
    onChange({ correct: isOn ? [...others, option] : others })
  }
  return (
    <fieldset className={styles.group}>
      <legend>{t('Options')}</legend>
      {options.map((option, i) => (
        <div key={option.id} className={styles.option}>
          <input
            type={type === 'single' ? 'radio' : 'checkbox'}
            name={`correct-${id}`}
            aria-label={t('Option {option} of question {number} is right', { option: i + 1, number })}
            checked={correct.includes(option.id)}
            onChange={({ target }) => tick(option.id, target.checked)}
          />
          <div className={styles.grow}>
            <TextField
              label={t('Option {number}', { number: i + 1 })}
              name={`option-${id}-${option.id}`}
              value={option.text}
              onChange={(text) =>
                onChange({ options: options.map((each) => (each === option ? { ...each, text } : each)) })
              }
            />
          </div>
          {canChange && (
            <Button
              label={t('Remove option {option} of question {number}', { option: i + 1, number })}
              isDisabled={options.length <= 2}
              onPress={() =>
                onChange({
                  options: options.filter((each) => each !== option),
                  correct: correct.filter((each) => each !== option.id),
                })
              }
            >
              {t('Remove')}
            </Button>
          )}
        </div>
      ))}
      {error !== undefined && <p role="alert">{error}</p>}
      {canChange && (
        <div>
          <Button onPress={() => onChange({ options: [...options, { id: freeId('o', options), text: '' }] })}>
            {t('Add an option')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
