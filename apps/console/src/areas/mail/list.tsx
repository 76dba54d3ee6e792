import type { ListMailsQuery } from '@guildhall/sdk'
import { useList } from '../../data/list-query.ts'
import { useProjectRow, useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { MailViews } from './views.tsx'

/** Mails of the last 30 days, with what mail servers have answered. */
export function MailList() {
  const { canChange } = useRights()
  const row = useProjectRow()
  if (row !== undefined && !canChange)
    return (
      <Page title={t('Mails')}>
        <Empty title={t('Owners and admins of the project see mails')} />
      </Page>
    )
  return <Mails />
}

function Mails() {
  const list = useList('mails', (client, query, signal) =>
    client.mails.list(query as ListMailsQuery, { signal }),
  )
  return (
    <ListScreen
      title={t('Mails')}
      views={<MailViews />}
      list={list}
      searchLabel={t('Search addresses')}
      filters={[
        { name: 'state', label: t('Status'), values: ['queued', 'sent', 'failed', 'suppressed'] },
        { name: 'template', label: t('Name of the mail') },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/mails/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('To'), cell: ({ to }) => to },
        { title: t('Mail'), cell: ({ template }) => <code>{template}</code> },
        { title: t('Status'), cell: ({ state }) => <Badge state={state} /> },
        { title: t('Attempts'), cell: ({ attempts }) => attempts, isNumber: true, hideBelow: 850 },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={
        <Empty title={t('No mail was sent in the last 30 days')}>
          {t('A mail appears here when a member signs up, buys something or is invited.')}
        </Empty>
      }
    />
  )
}
