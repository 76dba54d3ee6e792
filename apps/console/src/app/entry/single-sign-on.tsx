import { useMutation } from '@tanstack/react-query'
import { Form } from 'react-aria-components/Form'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from '../log-in.module.css'
import { connectionsFor, leaveFor } from './sso.ts'

/** The providers that an address can log in by. */
export function SingleSignOn() {
  const find = useMutation({ mutationFn: connectionsFor })
  const leave = useMutation({ mutationFn: leaveFor })
  const error = find.error ?? leave.error
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        find.mutate(String(new FormData(event.currentTarget).get('email')))
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
        error={faultOf(error, 'email')}
      />
      {find.data?.length === 0 && <p role="status">{t('There is no single sign-on for this address.')}</p>}
      {find.data?.map((connection) => (
        <Button
          key={connection.id}
          kind="primary"
          isPending={leave.isPending}
          onPress={() => leave.mutate(connection)}
        >
          {t('Go on with {name}', { name: connection.name })}
        </Button>
      ))}
      <Button type="submit" isPending={find.isPending}>
        {t('Find the provider')}
      </Button>
    </Form>
  )
}
