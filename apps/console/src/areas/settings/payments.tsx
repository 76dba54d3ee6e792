import type { ListPaymentAccountsQuery } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { NewAccount } from './account-new.tsx'
import { SettingsForm } from './settings-form.tsx'

/** Who takes payments, and how subscriptions renew. */
export function PaymentSettings() {
  const { canChange } = useRights()
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const list = useList('payment-accounts', (client, query, signal) =>
    client.paymentAccounts.list(query as ListPaymentAccountsQuery, { signal }),
  )
  const open = (id: string) => ({
    to: '/$project/$side/settings/payments/$id' as const,
    params: { ...list.params, id },
  })
  return (
    <Page title={t('Payments')}>
      <Section title={t('Payment accounts')}>
        <p>
          {list.params.side === 'test'
            ? t('This is the test side: it takes test keys only, and no money moves.')
            : t('This is the live side: payments move money.')}
        </p>
        {canChange && (
          <div>
            <Button onPress={() => setAdding(true)}>{t('Add an account')}</Button>
          </div>
        )}
        <List
          title={t('Payment accounts')}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => open(id)}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Provider'), cell: ({ provider }) => providerName(provider) },
            { title: t('Default'), cell: ({ is_default }) => (is_default ? t('Yes') : t('No')) },
            {
              title: t('Webhook'),
              cell: ({ provider, has_webhook_secret }) =>
                provider === 'stripe' ? <Badge state={has_webhook_secret ? 'enabled' : 'missing'} /> : '–',
            },
            { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
          empty={
            <Empty title={t('There is no payment account')}>
              {t('Members pay by the account of a provider, such as Stripe, or by hand.')}
            </Empty>
          }
        />
      </Section>
      <Section title={t('Subscriptions and bills')}>
        <SettingsForm
          fields={['billing_url', 'renewal_notice_days', 'retry_days', 'member_may', 'on_lost_dispute']}
          labels={{
            billing_url: t('Page where members pay'),
            renewal_notice_days: t('Days before a renewal at which its member is told'),
            retry_days: t('Days after a failed renewal at which the card is charged again'),
            member_may: t('What members may do with their own subscriptions'),
            on_lost_dispute: t('When a dispute is lost'),
          }}
          descriptions={{
            billing_url: t('Mails lead there.'),
            renewal_notice_days: t('60 at the most; 0: never'),
          }}
          controls={{
            on_lost_dispute: {
              options: [
                { id: 'revoke', name: t('What was paid for is taken back') },
                { id: 'keep', name: t('The member keeps what was paid for') },
              ],
            },
          }}
        />
      </Section>
      {isAdding && <NewAccount onClose={() => setAdding(false)} onDone={({ id }) => navigate(open(id))} />}
    </Page>
  )
}

export const providerName = (provider: string): string =>
  provider === 'stripe' ? 'Stripe' : provider === 'manual' ? t('By hand') : provider
