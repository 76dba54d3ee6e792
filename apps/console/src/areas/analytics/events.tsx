import type { ListAnalyticsEventsQuery } from '@guildhall/sdk'
import { countryName } from '../../data/country-name.ts'
import { linkedPage } from '../../data/linked-page.ts'
import { PAGE_SIZE, useList } from '../../data/list-query.ts'
import { t, wordOf } from '../../data/words.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { valueName } from './value-name.ts'
import { AnalyticsViews } from './views.tsx'

/** Page views and events one by one, as the sites have sent them. */
export function VisitorEvents() {
  const list = useList('analytics/events', (client, { page = 1, ...query }, signal) =>
    linkedPage(client.analytics.events.list(query as ListAnalyticsEventsQuery, { signal }), page, PAGE_SIZE),
  )
  return (
    <ListScreen
      title={t('What visitors did')}
      views={<AnalyticsViews />}
      list={list}
      dates={t('Time')}
      filters={[
        { name: 'type', label: t('Type'), values: ['pageview', 'event'] },
        { name: 'event', label: t('Event') },
        { name: 'path', label: t('Page') },
        { name: 'user_id', label: t('Member id') },
        {
          name: 'bots',
          label: t('Bots'),
          allTitle: t('Without bots'),
          values: ['include', 'only'],
          titleOf: (value) => (value === 'only' ? t('Bots only') : t('With bots')),
        },
      ]}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Time'), cell: ({ timestamp }) => <Time at={timestamp} hasSeconds /> },
        {
          title: t('What'),
          cell: ({ type, event }) => (event === null ? wordOf(type) : <code>{event}</code>),
        },
        { title: t('Page'), cell: ({ page }) => (page === null ? '–' : <code>{page}</code>) },
        { title: t('Member'), cell: ({ user_id: id }) => (id === null ? '–' : <MemberLink id={id} />) },
        { title: t('Source'), cell: ({ source }) => valueName('source', source ?? ''), hideBelow: 850 },
        {
          title: t('Country'),
          cell: ({ country }) => (country === null ? '–' : countryName(country)),
          hideBelow: 850,
        },
        {
          title: t('Device'),
          cell: ({ device, browser }) =>
            [device && valueName('device', device), browser].filter(Boolean).join(', ') || '–',
          hideBelow: 850,
        },
      ]}
      empty={
        <Empty title={t('Nothing has arrived yet')}>
          {t('What your pages send by the script of the site, or by the API, appears here.')}
        </Empty>
      }
    />
  )
}
