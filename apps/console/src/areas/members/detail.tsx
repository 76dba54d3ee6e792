import { Link, useParams } from '@tanstack/react-router'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { ExportButton } from '../../ui/export-button/export-button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Views } from '../../ui/views/views.tsx'
import { MemberActs } from './acts.tsx'
import { CoursesOf } from './courses.tsx'
import { CreditOf } from './credit.tsx'
import { EntitlementsOf } from './entitlements.tsx'
import { FilesOf, MailsTo, OrdersOf, SubmissionsOf, SubscriptionsOf } from './parts.tsx'
import { type ReadMember, useMember, useSuspension } from './queries.ts'
import { SessionsOf } from './sessions.tsx'
import { Timeline } from './timeline.tsx'

/** A member, and what belongs to the member in views of its own. */
export function MemberDetail() {
  const { id = '', view, project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useMember(id)
  const { canChange } = useRights()
  // What has been read stays on the screen, with the form over it, where reading it again fails.
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: member } = read
  const at = `members/${id}`
  return (
    <Page
      title={member.full_name || member.email}
      back={
        <Link to="/$project/$side/members" params={{ project, side }}>
          {t('All members')}
        </Link>
      }
      actions={canChange && <MemberActs read={read} />}
    >
      <Views
        label={t('What belongs to the member')}
        views={[
          { path: at, name: t('Member') },
          { path: `${at}/timeline`, name: t('Timeline') },
          { path: `${at}/orders`, name: t('Orders') },
          { path: `${at}/subscriptions`, name: t('Subscriptions') },
          { path: `${at}/credit`, name: t('Credit') },
          { path: `${at}/courses`, name: t('Courses') },
          { path: `${at}/submissions`, name: t('Submissions') },
          { path: `${at}/mails`, name: t('Mails') },
          { path: `${at}/files`, name: t('Files') },
          // A session says by which factors somebody has logged in, which viewers do not see.
          ...(canChange ? [{ path: `${at}/sessions`, name: t('Sessions') }] : []),
        ]}
      />
      <View name={view} read={read} />
    </Page>
  )
}

function View({ name, read }: { readonly name: string | undefined; readonly read: ReadMember }) {
  const { id } = read.value
  switch (name) {
    case 'timeline':
      return <Timeline member={id} />
    case 'orders':
      return <OrdersOf id={id} />
    case 'subscriptions':
      return <SubscriptionsOf id={id} />
    case 'credit':
      return <CreditOf id={id} />
    case 'courses':
      return <CoursesOf id={id} />
    case 'submissions':
      return <SubmissionsOf id={id} />
    case 'mails':
      return <MailsTo id={id} />
    case 'files':
      return <FilesOf id={id} />
    case 'sessions':
      return <SessionsOf id={id} />
    default:
      return <About read={read} />
  }
}

function About({ read: { value: member } }: { readonly read: ReadMember }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { canChange } = useRights()
  return (
    <>
      <SuspensionOf id={member.id} />
      <Section title={t('Member')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{member.id}</code>],
            [t('Email address'), member.email],
            [t('Name'), member.full_name],
            [t('Status'), <Badge key="status" state={member.status} />],
            [t('Role'), member.role],
            [
              t('Plan'),
              <Link key="plan" to="/$project/$side/plans/$id" params={{ project, side, id: member.plan_id }}>
                {member.plan.name}
              </Link>,
            ],
            [t('Created'), <Time key="created" at={member.created_at} />],
            [t('Last log-in'), member.last_login_at && <Time at={member.last_login_at} />],
          ]}
        />
      </Section>
      <EntitlementsOf id={member.id} />
      {canChange && (
        <div>
          <ExportButton begin={(client) => client.members.exportData(member.id)}>
            {t('Export all data of the member')}
          </ExportButton>
        </div>
      )}
      <Section title={t('Metadata')}>
        {Object.keys(member.metadata).length === 0 ? (
          <p>{t('None')}</p>
        ) : (
          <Fields
            fields={Object.entries(member.metadata).map(([name, value]) => [
              name,
              typeof value === 'string' ? value : JSON.stringify(value),
            ])}
          />
        )}
      </Section>
    </>
  )
}

/** Why a member writes nothing for now. */
function SuspensionOf({ id }: { readonly id: string }) {
  const { data: suspension } = useSuspension(id)
  if (!suspension) return null
  const { reason, suspended_at: since, until } = suspension
  return (
    <Section title={t('Suspended')}>
      <Fields
        fields={[
          [t('Reason'), reason],
          [t('Since'), <Time key="since" at={since} />],
          [t('Until'), until === null ? t('Until somebody ends it') : <Time key="until" at={until} />],
        ]}
      />
    </Section>
  )
}
