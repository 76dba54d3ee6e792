import type { ListFilesQuery, ListMailsQuery, ListOrdersQuery, ListSubscriptionsQuery } from '@guildhall/sdk'
import { Link } from '@tanstack/react-router'
import { useList } from '../../data/list-query.ts'
import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Money } from '../../ui/money/money.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'

interface Props {
  /** The id of the member. */
  readonly id: string
}

/** The orders of a member. */
export function OrdersOf({ id }: Props) {
  const list = useList(`members/${id}/orders`, (client, query, signal) =>
    client.orders.list({ ...query, member_id: id } as ListOrdersQuery, { signal }),
  )
  return (
    <List
      title={t('Orders')}
      list={list}
      keyOf={({ id: order }) => order}
      linkOf={({ id: order }) => ({
        to: '/$project/$side/orders/$id',
        params: { ...list.params, id: order },
      })}
      columns={[
        { title: t('Number'), cell: ({ number }) => number },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Total'),
          cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
          isNumber: true,
        },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={<Empty title={t('The member has ordered nothing')} />}
    />
  )
}

/** The subscriptions of a member, the ended ones too. */
export function SubscriptionsOf({ id }: Props) {
  const { data: plans } = usePlans()
  const list = useList(`members/${id}/subscriptions`, (client, query, signal) =>
    client.subscriptions.list({ ...query, member_id: id } as ListSubscriptionsQuery, { signal }),
  )
  return (
    <List
      title={t('Subscriptions')}
      list={list}
      keyOf={({ id: subscription }) => subscription}
      linkOf={({ id: subscription }) => ({
        to: '/$project/$side/subscriptions/$id',
        params: { ...list.params, id: subscription },
      })}
      columns={[
        {
          title: t('Plan'),
          cell: ({ plan_id }) => plans?.find((plan) => plan.id === plan_id)?.name ?? plan_id,
        },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Price'),
          cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
          isNumber: true,
        },
        { title: t('Period ends'), cell: ({ period_end }) => <Time at={period_end} /> },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={<Empty title={t('The member has had no subscription')} />}
    />
  )
}

/** The mails to a member. */
export function MailsTo({ id }: Props) {
  const list = useList(`members/${id}/mails`, (client, query, signal) =>
    client.mails.list({ ...query, member_id: id } as ListMailsQuery, { signal }),
  )
  return (
    <List
      title={t('Mails')}
      list={list}
      filters={[{ name: 'state', label: t('Status'), values: ['queued', 'sent', 'failed', 'suppressed'] }]}
      keyOf={({ id: mail }) => mail}
      linkOf={({ id: mail }) => ({ to: '/$project/$side/mails/$id', params: { ...list.params, id: mail } })}
      columns={[
        { title: t('Mail'), cell: ({ template }) => <code>{template}</code> },
        { title: t('To'), cell: ({ to }) => to },
        { title: t('Status'), cell: ({ state }) => <Badge state={state} /> },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={<Empty title={t('No mail was sent to the member')} />}
    />
  )
}

/** The files that a member has uploaded. */
export function FilesOf({ id }: Props) {
  const list = useList(`members/${id}/files`, (client, query, signal) =>
    client.storage.files.list({ ...query, owner_id: id } as ListFilesQuery, { signal }),
  )
  return (
    <List
      title={t('Files')}
      list={list}
      keyOf={({ id: file }) => file}
      linkOf={({ id: file }) => ({ to: '/$project/$side/files/$id', params: { ...list.params, id: file } })}
      columns={[
        { title: t('Name'), cell: ({ name }) => name },
        {
          title: t('Size'),
          cell: ({ size }) => t('{kb} kB', { kb: Math.ceil(size / 1_024) }),
          isNumber: true,
        },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={<Empty title={t('The member has uploaded nothing')} />}
    />
  )
}

/** The submissions of forms by a member, by the events that tell of them. */
export function SubmissionsOf({ id }: Props) {
  const list = useList(`members/${id}/submissions`, (client, { page, limit }, signal) =>
    client.members.events.list(
      id,
      { ...(page !== undefined && { page }), limit, type: 'form_submission.created' },
      { signal },
    ),
  )
  return (
    <List
      title={t('Submissions')}
      list={list}
      keyOf={({ id: event }) => event}
      columns={[
        {
          title: t('Submission'),
          cell: ({ data: { id: submission, form_id: form } }) => (
            <Link
              to="/$project/$side/forms/$id/submissions/$submission"
              params={{ ...list.params, id: String(form), submission: String(submission) }}
            >
              <code>{String(submission)}</code>
            </Link>
          ),
        },
        {
          title: t('Form'),
          cell: ({ data: { form_id: form } }) => (
            <Link to="/$project/$side/forms/$id" params={{ ...list.params, id: String(form) }}>
              <code>{String(form)}</code>
            </Link>
          ),
        },
        { title: t('Time'), cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
      empty={<Empty title={t('The member has submitted no form in the last 30 days')} />}
    />
  )
}
