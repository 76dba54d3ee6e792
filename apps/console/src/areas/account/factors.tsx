import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import { AddApp } from './add-app.tsx'
import { addPasskey, hasPasskeys } from './passkeys.ts'
import { type Factor, useFactors, useOwnChange } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type Open = 'app' | 'passkey' | 'codes' | { readonly remove: Factor }

/** Passkeys and authenticator apps: how the account is protected beside the password. */
export function Factors() {
  const { data: factors, error, refetch } = useFactors()
  const [open, setOpen] = useState<Open>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => setOpen(undefined)
  const hasApp = factors?.some(({ type }) => type === 'totp') === true
  return (
    <Section title={t('Passkeys and second factors')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {factors?.length === 0 && (
        <Empty title={t('Only the password protects this account')}>
          {t('A passkey or an authenticator app keeps out who has learned it.')}
        </Empty>
      )}
      {factors !== undefined && factors.length > 0 && (
        <DataTable
          label={t('Passkeys and second factors')}
          rows={factors}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            {
              title: t('Type'),
              cell: ({ type }) => (type === 'totp' ? t('Authenticator app') : t('Passkey')),
            },
            { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
            {
              title: t('Last used'),
              cell: ({ last_used_at }) => (last_used_at === null ? t('Never') : <Time at={last_used_at} />),
            },
            {
              title: t('Actions'),
              cell: (factor) => (
                <Button
                  label={t('Remove {name}', { name: factor.name })}
                  onPress={() => setOpen({ remove: factor })}
                >
                  {t('Remove')}
                </Button>
              ),
            },
          ]}
        />
      )}
      <Buttons>
        {hasPasskeys() && <Button onPress={() => setOpen('passkey')}>{t('Add a passkey')}</Button>}
        <Button onPress={() => setOpen('app')}>{t('Add an authenticator app')}</Button>
        {hasApp && <Button onPress={() => setOpen('codes')}>{t('New recovery codes')}</Button>}
      </Buttons>
      {open === 'app' && <AddApp onClose={close} onCodes={setCodes} />}
      {open === 'passkey' && <AddPasskey onClose={close} />}
      {open === 'codes' && <RenewCodes onClose={close} onCodes={setCodes} />}
      {typeof open === 'object' && (
        <RemoveFactor factor={open.remove} isLast={isLastApp(factors, open.remove)} onClose={close} />
      )}
      {codes && codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}

const isLastApp = (factors: readonly Factor[] = [], { id, type }: Factor): boolean =>
  type === 'totp' && !factors.some((each) => each.type === 'totp' && each.id !== id)

interface DialogProps {
  readonly onClose: () => void
}

function AddPasskey({ onClose }: DialogProps) {
  const { mutate, isPending, error } = useOwnChange(addPasskey, onClose)
  return (
    <FormDialog
      title={t('Add a passkey')}
      verb={t('Go on')}
      isPending={isPending}
      error={error}
      fields={['name']}
      onSubmit={(form) => mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="name"
        defaultValue={t('Passkey')}
        description={t('Such as “Laptop”')}
        isRequired
        autoFocus
        error={faultOf(error, 'name')}
      />
      <p>{t('The browser then asks for your fingerprint, your face, a PIN or a security key.')}</p>
    </FormDialog>
  )
}

interface CodesProps extends DialogProps {
  readonly onCodes: (codes: readonly string[]) => void
}

function RenewCodes({ onClose, onCodes }: CodesProps) {
  const renew = useOwnChange(async () => {
    const { data } = await callConsole<{ data: { recovery_codes: readonly string[] } }>(
      'POST',
      '/mfa/recovery-codes',
    )
    return data.recovery_codes
  }, onCodes)
  return (
    <Confirm
      title={t('New recovery codes?')}
      verb={t('Make new ones')}
      act={() => renew.mutateAsync(undefined)}
      onClose={onClose}
    >
      {t('The ones that you have stop working.')}
    </Confirm>
  )
}

interface RemoveProps extends DialogProps {
  readonly factor: Factor
  /** The recovery codes go with the last app. */
  readonly isLast: boolean
}

function RemoveFactor({ factor: { id, name, type }, isLast, onClose }: RemoveProps) {
  const remove = useOwnChange(() => callConsole('DELETE', `/mfa/factors/${id}`))
  return (
    <Confirm
      title={t('Remove {name}?', { name })}
      verb={t('Remove')}
      act={() => remove.mutateAsync(undefined)}
      onClose={onClose}
    >
      {type === 'passkey'
        ? t('You can no longer log in by it. Delete it on the device, too.')
        : isLast
          ? t('The password alone then protects this account, and the recovery codes stop working.')
          : t('Its codes stop working.')}
    </Confirm>
  )
}
