import { useMutation, useQuery } from '@tanstack/react-query'
import { callConsole } from '../data/console-api.ts'
import { faultOf } from '../data/faults.ts'
import { t } from '../data/words.ts'
import { Button } from '../ui/button/button.tsx'
import { FormDialog } from '../ui/form-dialog/form-dialog.tsx'
import { TextField } from '../ui/text-field/text-field.tsx'
import { SingleSignOn } from './entry/other-ways.tsx'

interface Props {
  readonly onDone: () => void
  readonly onClose: () => void
}

/** A wrong password is 401, and no end of the session. */
const confirm = (body: object) => callConsole('POST', '/confirm', { body, isSignedIn: false })

/** Asks over an act that cannot be undone who is there; the act goes on after it. Escape leaves both. */
export function ProveAgain({ onDone, onClose }: Props) {
  const { data: factors } = useQuery({
    queryKey: ['me', 'factors'],
    queryFn: async ({ signal }) =>
      (await callConsole<{ data: readonly { readonly type: string }[] }>('GET', '/mfa/factors', { signal }))
        .data,
  })
  const prove = useMutation({ mutationFn: confirm, onSuccess: onDone, gcTime: 0 })
  const byPasskey = useMutation({ mutationFn: showPasskey, onSuccess: onDone, gcTime: 0 })
  const hasApp = factors?.some(({ type }) => type === 'totp') === true
  const hasPasskey = factors?.some(({ type }) => type === 'passkey') === true
  const field = hasApp ? 'code' : 'password'
  return (
    <FormDialog
      title={t('Prove that it is you')}
      verb={t('Confirm')}
      isPending={prove.isPending || byPasskey.isPending || factors === undefined}
      error={prove.error ?? byPasskey.error}
      fields={[field]}
      onSubmit={(form) => prove.mutate({ [field]: String(form.get(field)) })}
      onClose={onClose}
    >
      <p>{t('What you do cannot be undone. It is done as soon as you have confirmed.')}</p>
      {factors !== undefined && (
        <TextField
          key={field}
          label={hasApp ? t('Code') : t('Password')}
          name={field}
          type={hasApp ? 'text' : 'password'}
          {...(hasApp && {
            description: t('Of your authenticator, or a recovery code'),
            inputMode: 'numeric' as const,
          })}
          autoComplete={hasApp ? 'one-time-code' : 'current-password'}
          isRequired={!hasPasskey}
          autoFocus
          error={faultOf(prove.error, field)}
        />
      )}
      {hasPasskey && (
        <div>
          <Button isPending={byPasskey.isPending} onPress={() => byPasskey.mutate()}>
            {t('Confirm by passkey')}
          </Button>
        </div>
      )}
      <SingleSignOn reauthenticate>
        <p>{t('You leave this page and come back to it. Then do it once more.')}</p>
      </SingleSignOn>
    </FormDialog>
  )
}

async function showPasskey(): Promise<void> {
  const { data } = await callConsole<{ data: PublicKeyCredentialRequestOptionsJSON }>(
    ...(['POST', '/passkeys/login/options', { body: {} }] as const),
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data)
  const shown = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  await confirm({ credential: shown.toJSON() })
}
