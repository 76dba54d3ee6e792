import { useQueryClient } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { projectsQuery } from '../../data/keys.ts'
import { useProject } from '../../data/list-query.ts'
import { useProjectRow } from '../../data/role.ts'
import { spokenLanguage, t, wordOf } from '../../data/words.ts'
import { Fields } from '../../ui/fields/fields.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { projectUpdate } from './operations.ts'
import { PartForm } from './part-form.tsx'
import { useSettings } from './queries.ts'
import { SettingsForm } from './settings-form.tsx'

/** What a project is called, and what its days and its data are. */
export function GeneralSettings() {
  const { project } = useProject()
  const queries = useQueryClient()
  const row = useProjectRow()
  const { data } = useSettings()
  return (
    <Page title={t('General')}>
      <Section title={t('Project')}>
        {row && (
          <>
            <Fields
              fields={[
                [t('Id'), <code key="id">{row.id}</code>],
                [t('Tier'), wordOf(row.tier)],
                [t('Requests a minute of each key'), row.rate_limit.toLocaleString(spokenLanguage())],
              ]}
            />
            <PartForm
              operation={projectUpdate}
              fields={['name']}
              of="name"
              read={{ value: row, etag: undefined }}
              send={(body) => callConsole('PATCH', `/projects/${project}`, { body })}
              onDone={() => queries.invalidateQueries(projectsQuery)}
            />
          </>
        )}
      </Section>
      <Section title={t('Time and language')}>
        <SettingsForm
          fields={['timezone', 'language']}
          labels={{ timezone: t('Time zone'), language: t('Language of certificates') }}
          descriptions={{ timezone: t('The days of sums, renewals and reports begin at its midnight.') }}
          controls={{
            timezone: { options: zonesWith((data?.value as { timezone?: string } | undefined)?.timezone) },
            language: {
              options: [
                { id: 'en', name: 'English' },
                { id: 'de', name: 'Deutsch' },
                { id: 'es', name: 'Español' },
              ],
            },
          }}
        />
      </Section>
      <Section title={t('Analytics')}>
        <SettingsForm
          fields={['analytics_retention_months', 'respect_do_not_track']}
          labels={{
            analytics_retention_months: t('Months for which events are kept'),
            respect_do_not_track: t('Visitors who ask not to be tracked are not stored'),
          }}
          descriptions={{ analytics_retention_months: t('From 1 to 120. What is older is deleted.') }}
        />
      </Section>
    </Page>
  )
}

/** All zones that the browser knows, and the present one. */
function zonesWith(present: string | undefined) {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(present ? [present] : [])])
  return [...known].map((id) => ({ id, name: id.replaceAll('_', ' ') }))
}
