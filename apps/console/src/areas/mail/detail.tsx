import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { MailFrame } from '../../ui/mail-frame/mail-frame.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'

/** One mail: what became of it, and what it looks like. */
export function MailDetail() {
  const { id = '' } = useParams({ strict: false })
  const { project, side, client } = useProject()
  const { canChange } = useRights()
  const { data, error, refetch } = useQuery({
    queryKey: [project, side, 'mails', id],
    queryFn: ({ signal }) => client.mails.get(id, { signal }),
  })
  const copy = useMutation({ mutationFn: () => client.mails.sendToMe(id) })
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={data.subject}
      back={
        <Link to="/$project/$side/mails" params={{ project, side }}>
          {t('All mails')}
        </Link>
      }
      actions={
        canChange && (
          <Button isPending={copy.isPending} onPress={() => copy.mutate()}>
            {t('Send a copy to me')}
          </Button>
        )
      }
    >
      {copy.error && <ErrorNotice error={copy.error} />}
      {copy.data && (
        <p role="status">
          {t('A copy is on its way to {address}. Nothing in it works.', { address: copy.data.to })}
        </p>
      )}
      <Section title={t('Mail')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{data.id}</code>],
            [t('To'), data.to],
            [
              t('Text'),
              <Link
                key="template"
                to="/$project/$side/settings/mail/templates/$name"
                params={{ project, side, name: data.template }}
              >
                <code>{data.template}</code>
              </Link>,
            ],
            [t('Status'), <Badge key="state" state={data.state} />],
            [t('Attempts'), String(data.attempts)],
            [t('Answer'), data.response],
            ...(data.error === null ? [] : [[t('Why'), reasonOf(data.error)] as const]),
            [t('Created'), <Time key="created" at={data.created_at} />],
            [t('Next attempt'), data.next_attempt_at && <Time at={data.next_attempt_at} />],
            [t('Ended'), data.finished_at && <Time at={data.finished_at} />],
          ]}
        />
      </Section>
      <Section title={t('What it looks like')}>
        <p>
          {data.has_own_values
            ? t('Codes are zeros here, and its links lead nowhere.')
            : t('The values of a mail are deleted when it is sent: these are examples.')}
        </p>
        <MailFrame label={data.subject} html={data.html} />
      </Section>
    </Page>
  )
}

const reasonOf = (error: string): string =>
  ({
    deferred: t('The server did not accept it yet'),
    refused: t('The server will never accept it'),
    bounced: t('The mailbox does not exist'),
    expired: t('The code in it was no longer valid'),
  })[error] ?? t(error)
