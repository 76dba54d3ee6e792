import type { GetMemberCreditQuery } from '@guildhall/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { formatMoney } from '../../ui/money/format-money.ts'
import { Money } from '../../ui/money/money.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { GiveCredit } from './give-credit.tsx'
import { useCredit } from './queries.ts'

/** The credit of a member: the balance in each currency, and every entry with its source or its use. */
export function CreditOf({ id }: { readonly id: string }) {
  const { data: credit, error, refetch } = useCredit(id)
  const { canChange } = useRights()
  const [isGiving, setGiving] = useState(false)
  const list = useList(`members/${id}/credit`, (client, query, signal) =>
    client.members.credit
      .list(id, query as GetMemberCreditQuery, { signal })
      .then(({ data, pagination }) => ({ data, pagination, next_cursor: pagination.next_cursor ?? null })),
  )
  if (credit === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { balances } = credit
  return (
    <>
      {balances.map(({ currency, amount }) => (
        <p key={currency}>
          {amount > 0
            ? t('Credit: {amount}. The next bills use it.', { amount: formatMoney(amount, currency) })
            : t('Owed: {amount}. The next bill charges it.', { amount: formatMoney(-amount, currency) })}
        </p>
      ))}
      {canChange && (
        <div>
          <Button onPress={() => setGiving(true)}>{t('Give or take credit')}</Button>
        </div>
      )}
      <List
        title={t('Credit')}
        list={list}
        keyOf={({ id: entry }) => entry}
        columns={[
          { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('Amount'),
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
            isNumber: true,
          },
          { title: t('Why'), cell: ({ kind }) => <Badge state={kind} /> },
          {
            title: t('Bill'),
            cell: ({ bill_id: bill }) =>
              bill === null ? (
                '–'
              ) : (
                <Link to="/$project/$side/bills/$id" params={{ ...list.params, id: bill }}>
                  {t('The bill')}
                </Link>
              ),
          },
          { title: t('Reason'), cell: ({ reason }) => reason ?? '–' },
        ]}
        empty={<Empty title={t('The member has had no credit')} />}
      />
      {isGiving && <GiveCredit id={id} balances={balances} onClose={() => setGiving(false)} />}
    </>
  )
}
