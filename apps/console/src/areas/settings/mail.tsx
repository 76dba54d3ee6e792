import type { ListMailSuppressionsQuery } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useList, useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { mailSettingsUpdate } from '../../forms.generated/mail.ts'
import { Button } from '../../ui/button/button.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { PartForm } from './part-form.tsx'

/** Who mails come from and how they look, and addresses that no mail is sent to any more. */
export function MailSettings() {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { data, error, refetch, readAgain } = useRead(['mail-settings'], (of, options) =>
    of.mail.settings.get(options),
  )
  return (
    <Page title={t('Mail')}>
      <Section title={t('Texts')}>
        <p>
          <Link to="/$project/$side/settings/mail/templates" params={{ project, side }}>
            {t('All mails with their texts and a preview')}
          </Link>
        </p>
      </Section>
      <Section title={t('Sender and look')}>
        {error && <ErrorNotice error={error} onRetry={refetch} />}
        {data && (
          <PartForm
            operation={mailSettingsUpdate}
            fields={FIELDS}
            of="mail"
            read={data}
            readAgain={readAgain}
            send={(body, options) => client.mail.settings.update(body, options)}
            onDone={() => queries.invalidateQueries({ queryKey: [project, side, 'mail-settings'] })}
            {...textsOf()}
          />
        )}
        <p>
          {t(
            'The mail server (SMTP) is the same for all projects. Administrators of the installation set it where Guildhall runs, with SMTP_URL.',
          )}
        </p>
      </Section>
      <Suppressions />
    </Page>
  )
}

const FIELDS = [
  ...['sender_name', 'reply_to', 'accent_color', 'background_color', 'footer'],
  ...['operator_addresses', 'operator_sessions_mailed'],
]

const textsOf = () => ({
  labels: {
    sender_name: t('Name of the sender'),
    reply_to: t('Address for replies'),
    accent_color: t('Colour of buttons'),
    background_color: t('Colour of the background'),
    footer: t('Text at the end of every mail'),
    operator_addresses: t('Addresses of operators'),
    operator_sessions_mailed: t('Members are told when an operator logs in as them'),
  },
  descriptions: {
    sender_name: t('Without one, the name of the project'),
    accent_color: t('Such as #1f3a5f'),
    background_color: t('Such as #f3f4f6'),
    footer: t('It can use {project} and {address}.', { project: '{{project}}', address: '{{address}}' }),
    operator_addresses: t('They get a mail when something is wrong with the project.'),
  },
})

function Suppressions() {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { canChange } = useRights()
  const list = useList('mail-suppressions', (of, query, signal) =>
    of.mail.suppressions.list(query as ListMailSuppressionsQuery, { signal }),
  )
  const remove = useMutation({
    mutationFn: (id: string) => client.mail.suppressions.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [project, side, 'mail-suppressions'] }),
  })
  return (
    <Section title={t('Addresses that do not exist')}>
      {remove.error && <ErrorNotice error={remove.error} />}
      <List
        title={t('Addresses that do not exist')}
        list={list}
        keyOf={({ id }) => id}
        searchLabel={t('Search addresses')}
        columns={[
          { title: t('Email address'), cell: ({ address }) => address },
          { title: t('Answer'), cell: ({ response }) => response },
          { title: t('Since'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
          ...(canChange
            ? [
                {
                  title: t('Actions'),
                  cell: ({ id, address }: { id: string; address: string }) => (
                    <Button
                      label={t('Send again to {address}', { address })}
                      isPending={remove.isPending}
                      onPress={() => remove.mutate(id)}
                    >
                      {t('Send again')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <Empty title={t('No address is left out')}>
            {t(
              'An address appears here when its mail server says that it does not exist. No more mails go there.',
            )}
          </Empty>
        }
      />
    </Section>
  )
}
