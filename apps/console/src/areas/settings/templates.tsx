import type { MailTemplate } from '@guildhall/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SearchField } from '../../ui/search-field/search-field.tsx'

/** Every mail that members get, with a sign where the project has texts of its own. */
export function TemplateList() {
  const { project, side } = useProject()
  const { data, error, refetch } = useTemplates()
  const [sought, setSought] = useState('')
  const rows = data?.value.filter((each) => isFound(each, sought))
  return (
    <Page
      title={t('Texts of mails')}
      back={
        <Link to="/$project/$side/settings/mail" params={{ project, side }}>
          {t('Mail')}
        </Link>
      }
    >
      <search>
        <SearchField label={t('Search mails')} value={sought} onSearch={setSought} />
      </search>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {rows?.length === 0 && <Empty title={t('Nothing matches')} />}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label={t('Texts of mails')}
          rows={rows}
          keyOf={({ name }) => name}
          linkOf={({ name }) => ({
            to: '/$project/$side/settings/mail/templates/$name',
            params: { project, side, name },
          })}
          columns={[
            { title: t('Subject'), cell: ({ subject }) => subject },
            { title: t('When it is sent'), cell: ({ description }) => t(description) },
            { title: t('Name'), cell: ({ name }) => <code>{name}</code> },
            { title: t('Texts'), cell: ({ is_own }) => <Badge state={is_own ? 'own' : 'default'} /> },
          ]}
        />
      )}
    </Page>
  )
}

/** The texts of all mails, which have one ETag. */
export const useTemplates = () =>
  useRead<MailTemplate[]>(['mail-templates'], (client, options) => client.mail.templates.list(options))

const isFound = ({ name, subject, description }: MailTemplate, sought: string): boolean =>
  `${name} ${subject} ${t(description)}`.toLowerCase().includes(sought.toLowerCase())
