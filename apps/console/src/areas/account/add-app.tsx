import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from './factors.module.css'
import { callOwn, useOwnChange } from './queries.ts'

const QrCode = lazy(() => import('./qr-code.tsx').then(({ QrCode: component }) => ({ default: component })))

interface Begun {
  readonly id: string
  readonly secret: string
  readonly uri: string
}

interface Props {
  readonly onClose: () => void
  /** Given the recovery codes that come with the first app. */
  readonly onCodes: (codes: readonly string[]) => void
}

/** Adds an authenticator app: its key is put into the app, and a code of it shows that it was. */
export function AddApp({ onClose, onCodes }: Props) {
  const { data: begun, error: refusal } = useQuery({
    queryKey: ['begun-app'],
    queryFn: async () =>
      (await callConsole<{ data: Begun }>('POST', '/mfa/totp', { body: { name: t('Authenticator app') } }))
        .data,
    // Each dialog begins an app of its own, whose key is kept nowhere after it.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  })
  const { mutate, isPending, error } = useOwnChange(
    async (code: string) =>
      callOwn<{ data: { recovery_codes: readonly string[] } }>('POST', '/mfa/totp/verify', {
        ...{ factor_id: begun?.id, code: code.replaceAll(/\s/g, '') },
      }),
    ({ data }) => {
      onClose()
      onCodes(data.recovery_codes)
    },
  )
  return (
    <FormDialog
      title={t('Add an authenticator app')}
      verb={t('Confirm')}
      isPending={isPending || (begun === undefined && refusal === null)}
      error={refusal ?? error}
      fields={['code']}
      onSubmit={(form) => mutate(String(form.get('code')))}
      onClose={onClose}
    >
      {begun && (
        <>
          <p>{t('Scan this code with the app:')}</p>
          <Suspense>
            <QrCode text={begun.uri} label={t('The key as a picture')} />
          </Suspense>
          <p>
            <a href={begun.uri}>{t('Open it in an app on this device')}</a>
          </p>
          <p>{t('Or type this key into the app:')}</p>
          <p className={styles.key}>
            <code>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code> <CopyButton text={begun.secret} />
          </p>
          <TextField
            label={t('Code')}
            name="code"
            description={t('The six digits that your authenticator shows')}
            autoComplete="one-time-code"
            inputMode="numeric"
            isRequired
            error={faultOf(error, 'code')}
          />
        </>
      )}
    </FormDialog>
  )
}
