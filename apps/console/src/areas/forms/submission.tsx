import type { FormField, FormSubmission, SubmissionStatus } from '@guildhall/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './forms.module.css'
import { useForm, useFormChange, useSubmission, useVersions } from './queries.ts'

import { shownValue } from './values.ts'

export function SubmissionDetail() {
  const { id = '', submission: sid = '', project = '', side = '' } = useParams({ strict: false })
  const { data: submission, error, refetch } = useSubmission(id, sid)
  const { data: read } = useForm(id)
  const { data: versions } = useVersions(id)
  if (submission === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  // The fields as they were when it was sent; those of today where that version is not among the latest.
  const asked =
    versions?.find(({ version }) => version === submission.form_version)?.fields ?? read?.value.fields ?? []
  const { ip, user_agent, referrer } = submission.metadata
  return (
    <Page
      title={t('Submission of “{name}”', { name: read?.value.name ?? '' })}
      back={
        <Link to="/$project/$side/forms/$id" params={{ project, side, id }}>
          {t('All submissions')}
        </Link>
      }
      actions={<Actions submission={submission} />}
    >
      <Section title={t('What was sent')}>
        <Values submission={submission} fields={asked} />
      </Section>
      <Section title={t('Submission')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{submission.id}</code>],
            [t('Status'), <Badge key="status" state={submission.status} />],
            [t('Sent'), <Time key="sent" at={submission.created_at} hasSeconds />],
            [t('Member'), submission.member_id && <MemberLink id={submission.member_id} />],
            [t('Version of the form'), String(submission.form_version)],
            [t('Address of the sender'), ip && <code key="ip">{ip}</code>],
            [t('Browser'), user_agent],
            [t('Came from'), referrer],
          ]}
        />
      </Section>
    </Page>
  )
}

interface ValuesProps {
  readonly submission: FormSubmission
  readonly fields: readonly FormField[]
}

/** The values in the order of the form, and behind them those of fields that it has no longer. */
function Values({ submission: { data }, fields }: ValuesProps) {
  const known = fields.filter(({ type }) => type !== 'section' && type !== 'password')
  const others = Object.keys(data).filter((id) => !known.some((field) => field.id === id))
  return (
    <Fields
      fields={[
        ...known.map(
          (field) => [field.label, <Value key={field.id} field={field} value={data[field.id]} />] as const,
        ),
        ...others.map((id) => [id, <Value key={id} field={undefined} value={data[id]} />] as const),
      ]}
    />
  )
}

const FILE = /\/storage\/files\/(file_\w+)\/content$/

function Value({ field, value }: { readonly field: FormField | undefined; readonly value: unknown }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const [, file] = (typeof value === 'string' && FILE.exec(value)) || []
  if (file !== undefined && (field === undefined || field.type === 'file'))
    return (
      <Link to="/$project/$side/files/$id" params={{ project, side, id: file }}>
        {t('The file')}
      </Link>
    )
  const text = shownValue(field, value)
  return text === '' ? <span>–</span> : <bdi className={styles.text}>{text}</bdi>
}

function Actions({ submission }: { readonly submission: FormSubmission }) {
  const { canChange } = useRights()
  const [isDeleting, setDeleting] = useState(false)
  const other: SubmissionStatus = submission.status === 'spam' ? 'received' : 'spam'
  const mark = useFormChange((client) =>
    client.forms.submissions.update(submission.form_id, submission.id, { status: other }),
  )
  if (!canChange) return null
  return (
    <>
      {mark.error && <ErrorNotice error={mark.error} />}
      <Button isPending={mark.isPending} onPress={() => mark.mutate()}>
        {other === 'spam' ? t('Mark as spam') : t('This is no spam')}
      </Button>
      <Button kind="danger" onPress={() => setDeleting(true)}>
        {t('Delete')}
      </Button>
      {isDeleting && <DeleteSubmission submission={submission} onClose={() => setDeleting(false)} />}
    </>
  )
}

interface DeleteProps {
  readonly submission: FormSubmission
  readonly onClose: () => void
}

function DeleteSubmission({ submission: { id, form_id }, onClose }: DeleteProps) {
  const { project = '', side = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mutate, isPending, error } = useFormChange(
    (client) => client.forms.submissions.delete(form_id, id),
    () => {
      onClose()
      return navigate({ to: '/$project/$side/forms/$id', params: { project, side, id: form_id } })
    },
  )
  return (
    <FormDialog
      title={t('Delete this submission?')}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('Its files are deleted too, unless something else uses them. This cannot be undone.')}</p>
    </FormDialog>
  )
}
