import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Act, type ActName } from './acts.tsx'
import { Embed } from './embed.tsx'
import { type ReadForm, useForm } from './queries.ts'
import { Submissions } from './submissions.tsx'
import { Summary } from './summary.tsx'
import { formTypeName } from './words.ts'

export function FormScreen() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useForm(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: form } = read
  return (
    <Page
      title={form.name}
      back={
        <Link to="/$project/$side/forms" params={{ project, side }}>
          {t('All forms')}
        </Link>
      }
      actions={<Actions read={read} />}
    >
      <Section title={t('Form')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{form.id}</code>],
            [t('Purpose'), formTypeName(form.type ?? '')],
            [t('Status'), <Badge key="status" state={form.status ?? ''} />],
            [t('Description'), form.description],
            [t('Fields'), form.fields.length.toLocaleString(spokenLanguage())],
            [t('Published version'), form.version === 0 ? t('None yet') : String(form.version)],
            [t('Published'), form.published_at && <Time at={form.published_at} />],
            [t('Changed'), form.updated_at && <Time at={form.updated_at} />],
          ]}
        />
      </Section>
      <Section title={t('Submissions')}>
        <Submissions id={id} />
      </Section>
      {(form.submission_count ?? 0) > 0 && (
        <Section title={t('Answers counted')}>
          <Summary id={id} />
        </Section>
      )}
      {form.status === 'published' && (
        <Section title={t('Put it on your site')}>
          <Embed id={id} />
        </Section>
      )}
    </Page>
  )
}

function Actions({ read }: { readonly read: ReadForm }) {
  const { canChange } = useRights()
  const [asked, setAsked] = useState<ActName>()
  const { project = '', side = '' } = useParams({ strict: false })
  if (!canChange) return null
  const { id, status } = read.value
  return (
    <>
      <ButtonLink
        kind={status === 'draft' ? 'primary' : 'plain'}
        to="/$project/$side/forms/$id/edit"
        params={{ project, side, id }}
      >
        {t('Edit')}
      </ButtonLink>
      <Button onPress={() => setAsked('publish')}>{t('Publish')}</Button>
      {status === 'published' && <Button onPress={() => setAsked('archive')}>{t('Close')}</Button>}
      <Button onPress={() => setAsked('duplicate')}>{t('Duplicate')}</Button>
      <Button kind="danger" onPress={() => setAsked('delete')}>
        {t('Delete')}
      </Button>
      {asked && <Act name={asked} read={read} onClose={() => setAsked(undefined)} />}
    </>
  )
}
