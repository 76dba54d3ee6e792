import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import styles from './editor.module.css'
import type { DraftQuestion, QuizDraft } from './quiz-draft.ts'

interface Props {
  readonly draft: QuizDraft
  readonly onClose: () => void
}

/** The quiz as those who learn see it, before it is saved. Nothing that is answered here is sent. */
export function QuizPreview({ draft, onClose }: Props) {
  return (
    <Dialog title={t('As a learner sees it')} isOpen onClose={onClose}>
      <div className={styles.form}>
        <p className={styles.soft}>
          {[
            t('{n} % pass', { n: draft.pass_percentage }),
            ...(draft.time_limit === '' ? [] : [t('{n} min', { n: draft.time_limit })]),
            ...(draft.max_attempts === '' ? [] : [t('{n} {n:attempt|attempts}', { n: draft.max_attempts })]),
          ].join(' · ')}
        </p>
        {draft.questions.map((question, i) => (
          <fieldset key={question.id} className={styles.group}>
            <legend>{t('Question {number}', { number: i + 1 })}</legend>
            <p dir="auto" className={styles.file}>
              {question.text || t('Nothing is written yet')}
            </p>
            <Answer question={question} />
          </fieldset>
        ))}
        <div className={styles.actions}>
          <Button kind="primary" onPress={onClose}>
            {t('Close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Answer({ question: { id, type, text, options } }: { readonly question: DraftQuestion }) {
  if (type === 'text' || type === 'number')
    return (
      <input aria-label={text} inputMode={type === 'number' ? 'decimal' : 'text'} className={styles.input} />
    )
  return options.map((option) => (
    <label key={option.id} className={styles.check}>
      <input type={type === 'single' ? 'radio' : 'checkbox'} name={`preview-${id}`} />
      <bdi>{option.text || '–'}</bdi>
    </label>
  ))
}
