import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from '../log-in.module.css'
import { type Answer, ask, type EntryProps, fieldsOf, useEntry } from './ask.ts'
import { NewPassword } from './by-mail.tsx'

/** Makes an operator, where the installation lets people sign up; otherwise it says that it does not. */
export function SignUp(props: EntryProps) {
  const [sent, setSent] = useState<Readonly<Record<string, string>>>()
  const enter = useEntry(props)
  const { error } = enter
  const signUp = async (fields: Readonly<Record<string, string>>): Promise<Answer> => {
    const answer = await ask<Answer>('/signup', fields)
    if (answer.mfa_required !== true && answer.session === null) setSent(fields)
    return answer
  }
  const confirm = ({ code }: Readonly<Record<string, string>>): Promise<Answer> =>
    ask<Answer>('/email/verify', { email: sent?.['email'], code, password: sent?.['password'] })
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = fieldsOf(event.currentTarget)
        enter.mutate(() => (sent === undefined ? signUp(fields) : confirm(fields)))
      }}
    >
      {error && <ErrorNotice error={error} />}
      {sent === undefined ? (
        <>
          <TextField
            label={t('Email address')}
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
            error={faultOf(error, 'email')}
          />
          <TextField
            label={t('Name')}
            name="full_name"
            autoComplete="name"
            error={faultOf(error, 'full_name')}
          />
          <NewPassword error={error} />
        </>
      ) : (
        <>
          <p role="status">
            {t('A mail with a code is on its way to {email}.', { email: sent['email'] ?? '' })}
          </p>
          <TextField
            label={t('Code of the mail')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            isRequired
            autoFocus
            error={faultOf(error, 'code')}
          />
        </>
      )}
      <Button kind="primary" type="submit" isPending={enter.isPending}>
        {sent === undefined ? t('Sign up') : t('Confirm the address')}
      </Button>
    </Form>
  )
}
