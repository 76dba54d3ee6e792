import type { NewSsoConnection, SsoConnection } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'

type Type = 'oidc' | 'saml'

interface Props {
  readonly onClose: () => void
  readonly onDone: (made: SsoConnection) => void
}

const FIELDS: Readonly<Record<Type, readonly string[]>> = {
  oidc: ['name', 'issuer', 'client_id', 'client_secret', 'domains'],
  saml: ['name', 'metadata_url', 'domains'],
}

/** Connects a provider. Its document is read at once, so that no connection is made that cannot work. */
export function NewConnection({ onClose, onDone }: Props) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const [type, setType] = useState<Type>('oidc')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NewSsoConnection) => client.ssoConnections.create(body),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: [project, side, 'sso-connections'] })
      onDone(made)
    },
    // The secret is kept nowhere once the dialog is gone.
    gcTime: 0,
  })
  const field = (name: string, label: string, description?: string) => (
    <TextField
      key={name}
      label={label}
      name={name}
      {...(description !== undefined && { description })}
      type={name === 'client_secret' ? 'password' : 'text'}
      error={faultOf(error, name)}
    />
  )
  return (
    <FormDialog
      title={t('Connect a provider')}
      verb={t('Connect')}
      isPending={isPending}
      error={error}
      fields={FIELDS[type]}
      onSubmit={(form) => mutate(bodyOf(type, form))}
      onClose={onClose}
    >
      <Select
        label={t('Type')}
        isLabelShown
        options={[
          { id: 'oidc', name: 'OpenID Connect' },
          { id: 'saml', name: 'SAML 2.0' },
        ]}
        value={type}
        onChange={(id) => setType(id as Type)}
      />
      {field('name', t('Name'), t('What the log-in page shows, such as the name of the company'))}
      {type === 'oidc' && [
        field('issuer', t('Issuer'), t('Such as https://login.acme.example. Its document is read now.')),
        field('client_id', t('Client id')),
        field('client_secret', t('Client secret'), t('It is stored sealed and never shown again.')),
      ]}
      {type === 'saml' &&
        field('metadata_url', t('Address of the metadata'), t('It is read now, and when you send it again.'))}
      {field(
        'domains',
        t('Domains'),
        t('Of the addresses that log in by it, with commas between. None: everybody.'),
      )}
    </FormDialog>
  )
}

function bodyOf(type: Type, form: FormData): NewSsoConnection {
  const given = FIELDS[type].flatMap((name) => {
    const text = String(form.get(name) ?? '').trim()
    if (name === 'domains') return [[name, text.split(/[,\s]+/).filter((each) => each !== '')]]
    return text === '' ? [] : [[name, text]]
  })
  return { type, ...Object.fromEntries(given) } as NewSsoConnection
}
