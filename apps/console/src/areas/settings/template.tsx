import type { MailPreviewRequest, MailTemplate, MailTemplateChanges } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import type { FormOperation } from '../../data/form-fields.ts'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { mailTemplatesUpdate } from '../../forms.generated/mail.ts'
import { Button } from '../../ui/button/button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { MailFrame } from '../../ui/mail-frame/mail-frame.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import styles from './template.module.css'
import { useTemplates } from './templates.tsx'

/** The texts of one mail beside the mail as members get it. */
export function TemplateEditor() {
  const { name = '' } = useParams({ strict: false })
  const { project, side } = useProject()
  const { canChange } = useRights()
  const { data, error, refetch } = useTemplates()
  const template = data?.value.find((each) => each.name === name)
  const [texts, setTexts] = useState<object>({})
  const change = useChange(name)
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  if (template === undefined) return <Empty title={t('There is no such mail')} />
  return (
    <Page
      title={template.subject}
      back={
        <Link to="/$project/$side/settings/mail/templates" params={{ project, side }}>
          {t('Texts of mails')}
        </Link>
      }
      actions={
        canChange &&
        template.is_own && (
          <Button
            isPending={change.isPending}
            onPress={() => change.mutate({ texts: null, ifMatch: data.etag })}
          >
            {t('Back to the default texts')}
          </Button>
        )
      }
    >
      <p>{t(template.description)}</p>
      {change.error && <ErrorNotice error={change.error} />}
      <div className={styles.sides}>
        <Section title={t('Texts')}>
          <TextsForm
            // After a reset the fields begin anew.
            key={String(template.is_own)}
            template={template}
            etag={data.etag}
            onEdit={setTexts}
          />
          <Fields
            fields={[
              [
                t('Placeholders'),
                <code key="placeholders">
                  {template.placeholders.map((each) => `{{${each}}}`).join(' ')}
                </code>,
              ],
            ]}
          />
        </Section>
        <Section title={t('Preview')}>
          {canChange ? <Preview name={name} texts={texts} /> : <Empty title={t('A viewer has no preview')} />}
        </Section>
      </div>
    </Page>
  )
}

interface Change {
  /** Null brings the default ones back. */
  readonly texts: object | null
  readonly ifMatch?: string | undefined
}

/** Sends texts of this mail. */
function useChange(name: string) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ texts, ifMatch }: Change) => {
      try {
        await client.mail.templates.update({ [name]: texts } as MailTemplateChanges, { ifMatch })
      } catch (error) {
        throw withoutPrefix(error, `${name}.`)
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [project, side, 'mail-templates'] }),
  })
}

/** The texts of one mail are part of a body of all: its fields are those of the form. */
function withoutPrefix(error: unknown, prefix: string): unknown {
  const { details } = error as { details?: readonly { readonly field: string }[] }
  if (details === undefined) return error
  const own = details.map((each) => ({ ...each, field: each.field.replace(prefix, '') }))
  return Object.assign(new Error((error as Error).message), error, { details: own })
}

interface FormProps {
  readonly template: MailTemplate
  readonly etag: string | undefined
  /** Told of what differs while somebody types. */
  readonly onEdit: (texts: object) => void
}

function TextsForm({ template, etag, onEdit }: FormProps) {
  const { canChange } = useRights()
  const { readAgain } = useTemplates()
  const change = useChange(template.name)
  const form = useSchemaForm<object>({
    operation: TEXTS,
    fields: ['subject', 'heading', 'body', ...(template.action === null ? [] : ['action'])],
    of: template.name,
    read: { value: template, etag },
    readAgain: async () => {
      const { value, etag: newer } = await readAgain()
      return { value: value.find(({ name }) => name === template.name) ?? template, etag: newer }
    },
    send: (texts, options) => change.mutateAsync({ texts, ...options }),
    onDone: () => undefined,
  })
  const edited = JSON.stringify(form.body)
  useEffect(() => onEdit(JSON.parse(edited) as object), [edited, onEdit])
  if (!canChange)
    return (
      <Fields
        fields={[
          [t('Subject'), template.subject],
          [t('Heading'), template.heading],
          [t('Text'), template.body],
        ]}
      />
    )
  return (
    <SchemaForm
      form={form}
      labels={{ subject: t('Subject'), heading: t('Heading'), body: t('Text'), action: t('Button') }}
      descriptions={{
        body: t('Plain text; an empty line ends a paragraph. Links and codes have their own place.'),
      }}
    />
  )
}

/** The part of one mail in the body of `mail.templates.update`. */
const TEXTS: FormOperation = {
  ...mailTemplatesUpdate,
  fields: [
    { name: 'subject', type: 'text', min: 1, max: 200, required: true },
    { name: 'heading', type: 'text', max: 200 },
    { name: 'body', type: 'text', max: 10_000 },
    { name: 'action', type: 'text', min: 1, max: 80 },
  ],
}

/** The mail with what is being typed, example values, and the look of the project. */
function Preview({ name, texts }: { readonly name: string; readonly texts: object }) {
  const { project, side, client } = useProject()
  // What is typed quickly is asked for once.
  const shown = useDeferredValue(JSON.stringify(texts))
  const { data, error } = useQuery({
    queryKey: [project, side, 'mail-templates', name, 'preview', shown],
    queryFn: ({ signal }) =>
      client.mail.preview({ template: name, ...JSON.parse(shown) } as MailPreviewRequest, { signal }),
    placeholderData: (before) => before,
    retry: false,
  })
  return (
    <>
      {error && <ErrorNotice error={error} />}
      {data && (
        <div>
          <p className={styles.subject} dir="auto">
            {data.subject}
          </p>
          <MailFrame label={t('Preview')} html={data.html} />
        </div>
      )}
    </>
  )
}
