import type { MatchedRule, PageExplanation } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Form } from 'react-aria-components/Form'
import { faultOf, isOnFields } from '../../data/faults.ts'
import { readListSearch, useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './rules.module.css'
import { reasonInWords } from './words.ts'

/** Shown as code before an address is asked about. */
const EXAMPLE = { name: 'memberContent.explain', args: [{ url: 'https://example.com/' }] }

/** What happens to an address, for a visitor or a member; the question is in the address of the screen. */
export function ExplainPage() {
  const { project = '', side = '' } = useParams({ strict: false })
  const search = readListSearch(useSearch({ strict: false }))
  const url = String(search['url'] ?? '')
  const member = String(search['member'] ?? '')
  const navigate = useNavigate()
  const { data, error, isFetching } = useExplanation(url, member)
  return (
    <Page
      title={t('Explain an address')}
      sends={url === '' ? EXAMPLE : undefined}
      back={
        <Link to="/$project/$side/page-rules" params={{ project, side }}>
          {t('All page rules')}
        </Link>
      }
    >
      <Form
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const asked = { url: String(form.get('url')).trim(), member: String(form.get('member')).trim() }
          return navigate({ to: '.', search: readListSearch(asked) as never, replace: true })
        }}
      >
        <TextField
          key={`url ${url}`}
          label={t('Address of the page')}
          name="url"
          defaultValue={url}
          isRequired
          error={faultOf(error, 'url')}
        />
        <TextField
          key={`member ${member}`}
          label={t('Member')}
          name="member"
          defaultValue={member}
          description={t('An email address or an id. Empty: a visitor.')}
          error={faultOf(error, 'member_id')}
        />
        <Button kind="primary" type="submit" isPending={isFetching}>
          {t('Explain')}
        </Button>
      </Form>
      {error && !isOnFields(error, ['url', 'member_id']) && <ErrorNotice error={error} />}
      {data && <Explanation explanation={data} />}
    </Page>
  )
}

/** Nobody has this address. */
const noMember = () =>
  Object.assign(new Error(t('There is no such member')), {
    details: [{ field: 'member_id', rule: 'exists', message: t('There is no such member') }],
  })

function useExplanation(url: string, member: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'page-rules', 'explain', url, member],
    queryFn: async ({ signal }) => {
      let id: string | undefined = member === '' ? undefined : member
      if (member.includes('@')) {
        const { data } = await client.members.list({ search: member, limit: 20 }, { signal })
        id = data.find(({ email }) => email.toLowerCase() === member.toLowerCase())?.id
        if (id === undefined) throw noMember()
      }
      return client.memberContent.explain({ url, ...(id !== undefined && { member_id: id }) }, { signal })
    },
    enabled: url !== '',
    retry: false,
    gcTime: 0,
  })
}

function Explanation({ explanation }: { readonly explanation: PageExplanation }) {
  const { allowed, reason, host, path, matches, rules } = explanation
  return (
    <>
      <div role="status" className={styles.answer} data-allowed={allowed}>
        <strong>{allowed ? t('May be seen') : t('May not be seen')}</strong>
        <p>{reasonInWords(reason)}</p>
        {path !== null && (
          <p className={styles.soft}>
            {t('Compared as')}{' '}
            <code>
              {host ?? ''}
              {path}
            </code>
          </p>
        )}
      </div>
      {matches > 0 && (
        <Section title={t('Active rules that match')}>
          <p className={styles.soft}>
            {t('The most exact pattern decides; among equal ones the newest. Others do not count.')}
          </p>
          <Rules rules={rules} />
        </Section>
      )}
    </>
  )
}

function Rules({ rules }: { readonly rules: readonly MatchedRule[] }) {
  const { project = '', side = '' } = useParams({ strict: false })
  return (
    <DataTable
      label={t('Active rules that match')}
      rows={rules}
      keyOf={({ rule_id }) => rule_id}
      linkOf={({ rule_id: id }) => ({ to: '/$project/$side/page-rules/$id', params: { project, side, id } })}
      columns={columnsOf()}
    />
  )
}

const columnsOf = (): Column<MatchedRule>[] => [
  { title: t('Pages'), cell: ({ url_pattern }) => <code>{url_pattern}</code> },
  { title: t('Decides'), cell: ({ decides }) => (decides ? t('Yes') : t('No')) },
  {
    title: t('How it matches'),
    cell: ({ match, literal_prefix }) =>
      match === 'exact' ? t('Exactly') : t('From {prefix} on', { prefix: literal_prefix }),
  },
  {
    title: t('Alone it would say'),
    cell: ({ would_allow, reason }) => `${would_allow ? t('Yes') : t('No')}: ${reasonInWords(reason)}`,
  },
  { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
]
