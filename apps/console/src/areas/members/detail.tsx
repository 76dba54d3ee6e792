import { Link, useParams } from '@tanstack/react-router'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useMember } from './queries.ts'

export function MemberDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: member, error, refetch } = useMember(id)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (member === undefined) return <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={member.full_name || member.email}
      actions={
        <Link to="/$project/$side/members" params={{ project, side }}>
          {t('All members')}
        </Link>
      }
    >
      <Section title={t('Member')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{member.id}</code>],
            [t('Email address'), member.email],
            [t('Name'), member.full_name],
            [t('Status'), <Badge key="status" state={member.status} />],
            [t('Role'), member.role],
            [t('Plan'), <code key="plan">{member.plan_id}</code>],
            [t('Created'), <Time key="created" at={member.created_at} />],
            [t('Last log-in'), member.last_login_at && <Time at={member.last_login_at} />],
          ]}
        />
      </Section>
      <Section title={t('Metadata')}>
        <Fields
          fields={Object.entries(member.metadata).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ])}
        />
      </Section>
    </Page>
  )
}
