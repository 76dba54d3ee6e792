import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { ConsoleError, callConsole, takeSession } from '../data/console-api.ts'
import { t } from '../data/words.ts'
import { Button } from '../ui/button/button.tsx'
import { ErrorNotice } from '../ui/notice/notice.tsx'
import { TextField } from '../ui/text-field/text-field.tsx'
import styles from './log-in.module.css'

interface Session {
  readonly access_token: string
  readonly expires_in: number
}
type LogInAnswer =
  | { readonly mfa_required?: false; readonly session: Session }
  | { readonly mfa_required: true; readonly mfa_token: string; readonly factors: readonly string[] }

const submit = <T,>(path: string, body: unknown): Promise<T> =>
  callConsole<T>('POST', path, { body, isSignedIn: false })

interface Props {
  readonly onDone: () => void
  /** Of the operator who is known already. */
  readonly email?: string | undefined
  /** The first factor has been given another way. */
  readonly mfaToken?: string | undefined
}

/** Logs an operator in: by password, and by a second factor where there is one. */
export function LogIn({ onDone, email, mfaToken: given }: Props) {
  const [mfaToken, setMfaToken] = useState(given)
  const logIn = useMutation({
    mutationFn: (fields: Readonly<Record<string, string>>) =>
      mfaToken === undefined
        ? submit<LogInAnswer>('/login', fields)
        : submit<LogInAnswer>('/mfa/verify', { ...fields, mfa_token: mfaToken }),
    onSuccess: (answer) => {
      if (answer.mfa_required === true) return setMfaToken(answer.mfa_token)
      takeSession(answer.session)
      onDone()
    },
  })
  const { error } = logIn
  const faultOf = (field: string) =>
    error instanceof ConsoleError ? error.details.find((each) => each.field === field)?.message : undefined
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        logIn.mutate(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
      }}
    >
      {error && <ErrorNotice error={error} />}
      {mfaToken === undefined ? (
        <>
          <TextField
            label={t('Email address')}
            name="email"
            type="email"
            autoComplete="username"
            {...(email !== undefined && { defaultValue: email })}
            isRequired
            autoFocus={email === undefined}
            error={faultOf('email')}
          />
          <TextField
            label={t('Password')}
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
            autoFocus={email !== undefined}
            error={faultOf('password')}
          />
        </>
      ) : (
        <TextField
          label={t('Code')}
          name="code"
          description={t('The six digits that your authenticator shows')}
          autoComplete="one-time-code"
          inputMode="numeric"
          isRequired
          autoFocus
          error={faultOf('code')}
        />
      )}
      <Button kind="primary" type="submit" isPending={logIn.isPending}>
        {t('Log in')}
      </Button>
    </Form>
  )
}
