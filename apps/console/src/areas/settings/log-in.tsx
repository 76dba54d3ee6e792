import type { ListSsoConnectionsQuery } from '@guildhall/sdk'
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
import { SettingsForm } from './settings-form.tsx'
import { NewConnection } from './sso-new.tsx'

/** How members log in, and from where. */
export function LogInSettings() {
  const { canChange } = useRights()
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const list = useList('sso-connections', (client, query, signal) =>
    client.ssoConnections.list(query as ListSsoConnectionsQuery, { signal }),
  )
  return (
    <Page title={t('Log-in and single sign-on')}>
      <Section title={t('Log-in')}>
        <SettingsForm
          fields={['email_confirmation', 'redirect_urls', 'origins']}
          labels={{
            email_confirmation: t('New email addresses must be confirmed'),
            redirect_urls: t('Addresses to which links in mails may lead'),
            origins: t('Allowed origins'),
          }}
          descriptions={{
            email_confirmation: t('Nobody can then sign up with an address of somebody else.'),
            origins: t(
              'Public keys work in browsers on pages of the allowed origins alone (CORS), such as https://example.com.',
            ),
          }}
        />
      </Section>
      <Section title={t('Passwords')}>
        <p>
          {t(
            'Passwords have 10 to 128 characters, and common ones are refused. After ten wrong ones within 15 minutes an account waits. These rules are the same for every project.',
          )}
        </p>
      </Section>
      <Section title={t('Single sign-on')}>
        {canChange && (
          <div>
            <Button onPress={() => setAdding(true)}>{t('Connect a provider')}</Button>
          </div>
        )}
        <List
          title={t('Single sign-on')}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => ({ to: '/$project/$side/settings/log-in/$id', params: { ...list.params, id } })}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Type'), cell: ({ type }) => (type === 'oidc' ? 'OpenID Connect' : 'SAML 2.0') },
            {
              title: t('Domains'),
              cell: ({ domains }) => (domains.length === 0 ? t('All addresses') : domains.join(', ')),
            },
            { title: t('Status'), cell: ({ enabled }) => <Badge state={enabled ? 'enabled' : 'disabled'} /> },
            { title: t('Required'), cell: ({ required }) => (required ? t('Yes') : t('No')) },
          ]}
          empty={
            <Empty title={t('No provider is connected')}>
              {t(
                'Members of a company log in with the account that they have there, by OpenID Connect or SAML.',
              )}
            </Empty>
          }
        />
      </Section>
      {isAdding && (
        <NewConnection
          onClose={() => setAdding(false)}
          onDone={({ id }) =>
            navigate({ to: '/$project/$side/settings/log-in/$id', params: { ...list.params, id } })
          }
        />
      )}
    </Page>
  )
}
