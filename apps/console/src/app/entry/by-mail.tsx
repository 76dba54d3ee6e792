import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from '../log-in.module.css'
import { type Answer, ask, type EntryProps, fieldsOf, useEntry } from './ask.ts'

interface Props extends EntryProps {
  /** Asks for the mail; null where it was sent before, as an invitation is. */
  readonly request: string | null
  /** Takes the code of the mail. */
  readonly verify: string
  readonly verb: string
  /** What else the code is sent with, such as a new password. */
  readonly more?: (error: Error | null) => ReactNode
}

/** Logs in by a mail: first it is asked for, then its code is typed. */
export function ByMail({ request, verify, verb, more, ...entry }: Props) {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(request === null)
  const send = useMutation({
    mutationFn: () => ask(request ?? '', { email }),
    onSuccess: () => setSent(true),
  })
  const enter = useEntry(entry)
  const error = isSent ? enter.error : send.error
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = fieldsOf(event.currentTarget)
        if (isSent) enter.mutate(() => ask<Answer>(verify, { ...fields, email }))
        else send.mutate()
      }}
    >
      {error && <ErrorNotice error={error} />}
      <TextField
        label={t('Email address')}
        name="email"
        type="email"
        autoComplete="username"
        isRequired
        autoFocus
        value={email}
        onChange={setEmail}
        error={faultOf(error, 'email')}
      />
      {isSent && request !== null && (
        <p role="status">{t('If the address is known here, a mail with a code is on its way to it.')}</p>
      )}
      {isSent && (
        <>
          <TextField
            label={t('Code of the mail')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            isRequired
            error={faultOf(error, 'code')}
          />
          {more?.(error)}
        </>
      )}
      <Button kind="primary" type="submit" isPending={send.isPending || enter.isPending}>
        {isSent ? verb : t('Send the mail')}
      </Button>
    </Form>
  )
}

/** A password that is set with the code. */
export const NewPassword = ({ error }: { readonly error: Error | null }) => (
  <TextField
    label={t('New password')}
    name="password"
    type="password"
    description={t('At least 10 characters')}
    autoComplete="new-password"
    isRequired
    error={faultOf(error, 'password')}
  />
)
