import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { EditMember } from './edit.tsx'
import { useMember } from './queries.ts'

export function MemberDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useMember(id)
  const { canChange } = useRights()
  const [isEditing, setEditing] = useState(false)
  // What has been read stays on the screen, with the form over it, where reading it again fails.
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: member } = read
  return (
    <Page
      title={member.full_name || member.email}
      back={
        <Link to="/$project/$side/members" params={{ project, side }}>
          {t('All members')}
        </Link>
      }
      actions={canChange && <Button onPress={() => setEditing(true)}>{t('Edit')}</Button>}
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
      {isEditing && <EditMember read={read} onClose={() => setEditing(false)} />}
    </Page>
  )
}
