import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { t } from '../../data/words.ts'
import { CodeButton } from '../as-code/code-button.tsx'
import { Button } from '../button/button.tsx'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import { useOnce } from '../form-dialog/once.ts'
import { ErrorNotice } from '../notice/notice.tsx'
import { Time } from '../time/time.tsx'
import { FieldOf, type FieldTexts, labelOf } from './field.tsx'
import { LeaveGuard, LeaveQuestion } from './leave.tsx'
import { Merge } from './merge.tsx'
import styles from './schema-form.module.css'
import { textOfValue } from './text-of-value.ts'
import type { FormState } from './use-schema-form.ts'
import { draftValueOf } from './values.ts'

interface Props extends FieldTexts {
  /** Of `useSchemaForm`. */
  readonly form: FormState
  /** Shown after the fields, such as what the change costs. */
  readonly children?: ReactNode
}

interface PageProps extends Props {
  /** What the button says. Default: "Save". */
  readonly verb?: string
}

/** A form as a part of a screen, with its button. */
export function SchemaForm({ form, verb = t('Save'), ...props }: PageProps) {
  const once = useOnce()
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        once(form.submit)
      }}
    >
      <Refusal form={form} />
      <FormFields form={form} {...props} codeIsElsewhere />
      <div className={styles.actions}>
        <Button kind="primary" type="submit" isPending={form.isPending}>
          {verb}
        </Button>
        {form.isDirty && !form.isNew && (
          <Button isDisabled={form.isPending} onPress={form.discard}>
            {t('Discard changes')}
          </Button>
        )}
        <CodeButton calls={[form.call]} />
        {form.isSaved && <span role="status">{t('Saved')}</span>}
      </div>
      <LeaveGuard mustAsk={form.mustAsk} />
    </Form>
  )
}

interface DialogProps extends Props {
  readonly title: string
  readonly verb: string
  readonly isDanger?: boolean
  readonly onClose: () => void
}

/** A form over the screen. It asks before it is closed with changes. */
export function SchemaFormDialog({ form, title, verb, isDanger = false, onClose, ...props }: DialogProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <FormDialog
        {...{ title, verb, isDanger }}
        isPending={form.isPending}
        error={null}
        beside={<CodeButton calls={[form.call]} />}
        onSubmit={form.submit}
        onClose={() => (form.isDirty ? setAsking(true) : onClose())}
      >
        <Refusal form={form} />
        <FormFields form={form} {...props} autoFocus codeIsElsewhere />
        <LeaveGuard mustAsk={form.mustAsk} />
      </FormDialog>
      {isAsking && (
        <LeaveQuestion
          verb={t('Discard changes')}
          onStay={() => setAsking(false)}
          onLeave={() => {
            form.discard()
            onClose()
          }}
        >
          {t('What you have typed here is lost.')}
        </LeaveQuestion>
      )}
    </>
  )
}

/** What the API refused that no field of the form shows. */
function Refusal({ form: { error, faults, fields } }: { readonly form: FormState }) {
  const names = fields.map(({ name }) => name)
  const others = faults.filter(({ field }) => !names.includes(/^[^.[]*/.exec(field)?.[0] ?? ''))
  if (error === null || (faults.length > 0 && others.length === 0)) return null
  const message = [error.message, ...others.map(({ field, message: why }) => `${field}: ${why}`)].join(' · ')
  const { requestId } = error as { requestId?: string }
  return <ErrorNotice error={{ message, requestId }} />
}

interface FieldsProps extends Props {
  readonly autoFocus?: boolean
  /** "Show as code" stands beside the button that sends. */
  readonly codeIsElsewhere?: boolean
}

/** The fields alone, for forms that are put together by hand. The first one that is refused takes the focus. */
export function FormFields({
  form,
  children,
  autoFocus = false,
  codeIsElsewhere = false,
  ...texts
}: FieldsProps) {
  const { fields, draft, conflict, offered, refusals } = form
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusals > 0) focusFirstFault(place.current)
  }, [refusals])
  return (
    <div className={styles.fields} ref={place}>
      {offered && <Offer offered={offered} />}
      {conflict && (
        <Merge
          conflict={conflict}
          fields={fields}
          labelOf={(field) => labelOf(field, field.name, texts)}
          textOf={(field, value) => shortened(textOfValue(field, value, texts))}
        />
      )}
      {fields.map((field, i) => (
        <FieldOf
          key={field.name}
          {...{ form, texts, field }}
          path={field.name}
          value={draft[field.name] ?? draftValueOf(field, undefined)}
          autoFocus={autoFocus && i === 0}
        />
      ))}
      {children}
      {!codeIsElsewhere && (
        <div>
          <CodeButton calls={[form.call]} />
        </div>
      )}
    </div>
  )
}

/** Characters of a value beside which another one is read. */
const MOST_SHOWN = 200
const shortened = (text: string): string =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)} …` : text

const FOCUSABLE = 'input, select, textarea, button'

function focusFirstFault(place: HTMLElement | null): void {
  const first = place?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')
  const control = first?.matches(FOCUSABLE) ? first : first?.parentElement?.querySelector(FOCUSABLE)
  ;(control as HTMLElement | null | undefined)?.focus()
}

/** What was typed before a reload, or before the form was left. */
export function Offer({ offered }: { readonly offered: NonNullable<FormState['offered']> }) {
  return (
    <div role="status" className={styles.conflict}>
      <p>
        {t('There is a draft of yours that was not saved:')} <Time at={new Date(offered.at).toISOString()} />
      </p>
      <div className={styles.actions}>
        <Button onPress={offered.take}>{t('Go on with the draft')}</Button>
        <Button onPress={offered.drop}>{t('Discard the draft')}</Button>
      </div>
    </div>
  )
}
