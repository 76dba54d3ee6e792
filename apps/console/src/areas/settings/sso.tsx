import type { SsoConnection } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { ssoConnectionsUpdate } from '../../forms.generated/ssoConnections.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import { PartForm } from './part-form.tsx'

/** One provider by which members log in. Its secret is never shown. */
export function ConnectionDetail() {
  const { id = '' } = useParams({ strict: false })
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { canChange } = useRights()
  const [open, setOpen] = useState<'remove' | 'secret'>()
  const { data, error, refetch, readAgain } = useRead(['sso-connections', id], (of, options) =>
    of.ssoConnections.get(id, options),
  )
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: connection } = data
  const forget = () => queries.invalidateQueries({ queryKey: [project, side, 'sso-connections'] })
  return (
    <Page
      title={connection.name}
      back={
        <Link to="/$project/$side/settings/log-in" params={{ project, side }}>
          {t('Log-in and single sign-on')}
        </Link>
      }
      actions={
        canChange && (
          <>
            {connection.type === 'oidc' && (
              <Button onPress={() => setOpen('secret')}>{t('Replace the client secret')}</Button>
            )}
            <Button kind="danger" onPress={() => setOpen('remove')}>
              {t('Remove')}
            </Button>
          </>
        )
      }
    >
      <Section title={t('For the provider')}>
        <p>{t('Allow these addresses at the provider.')}</p>
        <Fields fields={addressesOf(connection)} />
      </Section>
      <Section title={t('Connection')}>
        <PartForm
          operation={ssoConnectionsUpdate}
          fields={[
            ...['name', 'enabled', 'domains', 'required'],
            ...(connection.type === 'oidc' ? ['client_id'] : ['metadata_url']),
          ]}
          of={id}
          read={data}
          readAgain={readAgain}
          send={(body, options) => client.ssoConnections.update(id, body, options)}
          onDone={forget}
          {...textsOf()}
        />
      </Section>
      <Section title={t('Provider')}>
        <Fields
          fields={[
            [t('Type'), connection.type === 'oidc' ? 'OpenID Connect' : 'SAML 2.0'],
            [t('Issuer'), connection.issuer],
            ...(connection.type === 'oidc'
              ? [[t('Client secret'), connection.has_client_secret ? t('Stored') : t('None')] as const]
              : []),
            ...(connection.type === 'saml'
              ? [
                  [
                    t('Fingerprints of its certificates'),
                    connection.certificate_fingerprints.join(', '),
                  ] as const,
                ]
              : []),
            [t('Created'), <Time key="created" at={connection.created_at} />],
          ]}
        />
      </Section>
      {open === 'remove' && <RemoveConnection connection={connection} onClose={() => setOpen(undefined)} />}
      {open === 'secret' && <ReplaceSecret connection={connection} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const addressesOf = ({ callback_url, service_metadata_url }: SsoConnection) => [
  [t('Callback'), <Copied key="callback" text={callback_url} />] as const,
  ...(service_metadata_url === null
    ? []
    : [[t('Metadata'), <Copied key="metadata" text={service_metadata_url} />] as const]),
]

function Copied({ text }: { readonly text: string }) {
  return (
    <>
      <code>{text}</code> <CopyButton text={text} />
    </>
  )
}

const textsOf = () => ({
  controls: { client_id: 'text' as const },
  labels: {
    name: t('Name'),
    enabled: t('Members can log in by it'),
    domains: t('Domains'),
    required: t('Addresses of these domains log in by it only'),
    client_id: t('Client id'),
    metadata_url: t('Address of the metadata'),
  },
  descriptions: {
    domains: t('Only addresses of these domains are offered this provider.'),
    required: t('Their other sessions end at once, and their passwords no longer work.'),
    metadata_url: t('It is read now, and when you send it again.'),
  },
})

/** The secret goes in, and is never shown. */
function ReplaceSecret({ connection: { id }, onClose }: RemoveProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (client_secret: string) => client.ssoConnections.update(id, { client_secret }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'sso-connections'] })
      onClose()
    },
    gcTime: 0,
  })
  return (
    <FormDialog
      title={t('Replace the client secret')}
      verb={t('Replace')}
      isPending={isPending}
      error={error}
      fields={['client_secret']}
      onSubmit={(form) => mutate(String(form.get('client_secret')))}
      onClose={onClose}
    >
      <TextField
        label={t('New client secret')}
        name="client_secret"
        type="password"
        autoComplete="off"
        description={t('It is stored sealed and never shown again.')}
        isRequired
        autoFocus
        error={faultOf(error, 'client_secret')}
      />
    </FormDialog>
  )
}

interface RemoveProps {
  readonly connection: SsoConnection
  readonly onClose: () => void
}

function RemoveConnection({ connection: { id, name }, onClose }: RemoveProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <Confirm
      title={t('Remove {name}?', { name })}
      verb={t('Remove')}
      act={() => client.ssoConnections.delete(id)}
      onDone={async () => {
        await navigate({ to: '/$project/$side/settings/log-in', params: { project, side } })
        await queries.invalidateQueries({ queryKey: [project, side, 'sso-connections'] })
      }}
      onClose={onClose}
    >
      <p>
        {t('Nobody can log in by it any more. Members keep their accounts, and log in by mail or password.')}
      </p>
    </Confirm>
  )
}
