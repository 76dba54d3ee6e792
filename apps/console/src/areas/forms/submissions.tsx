import type { FormField, ListedFormSubmission, NewExport } from '@guildhall/sdk'
import { t } from '../../data/words.ts'
import { ExportButton } from '../../ui/export-button/export-button.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useForm, useSubmissions } from './queries.ts'
import { shownValue } from './values.ts'

/** Values that a row shows at the most; a submission's own screen has all. */
const MOST_VALUES = 4
const NOT_LISTED = new Set(['section', 'password', 'hidden', 'file'])

/** What was sent by a form: search, filters, and a link to each. */
export function Submissions({ id }: { readonly id: string }) {
  const list = useSubmissions(id)
  const { data: read } = useForm(id)
  const fields = (read?.value.fields ?? []).filter(({ type }) => !NOT_LISTED.has(type))
  const { page: _, sort: __, order: ___, ...filters } = list.search
  return (
    <>
      <div>
        <ExportButton
          begin={(client) => client.forms.exports.create(id, { format: 'csv', ...filters } as NewExport)}
        >
          {t('Export as CSV')}
        </ExportButton>
      </div>
      <List
        title={t('Submissions')}
        list={list}
        searchLabel={t('Search submissions')}
        dates={t('Sent')}
        filters={[
          {
            name: 'status',
            label: t('Status'),
            values: ['spam'],
            allTitle: t('Received'),
          },
        ]}
        keyOf={({ id: submission }) => submission}
        linkOf={({ id: submission }) => ({
          to: '/$project/$side/forms/$id/submissions/$submission',
          params: { ...list.params, id, submission },
        })}
        columns={[
          { title: t('Sent'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
          { title: t('What was sent'), cell: ({ data }) => <bdi>{shortly(fields, data)}</bdi> },
          {
            title: t('Member'),
            cell: ({ member_id }: ListedFormSubmission) =>
              member_id === null ? '–' : <MemberLink id={member_id} />,
          },
        ]}
        empty={
          <Empty title={t('Nothing was submitted yet')}>
            {t('What visitors send by this form appears here.')}
          </Empty>
        }
      />
    </>
  )
}

const shortly = (fields: readonly FormField[], data: ListedFormSubmission['data']): string =>
  fields
    .map((field) => shownValue(field, data[field.id]))
    .filter((text) => text !== '')
    .slice(0, MOST_VALUES)
    .join(' · ') || '–'
