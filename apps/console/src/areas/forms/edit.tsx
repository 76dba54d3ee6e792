import type { FormChanges } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { formsUpdate } from '../../forms.generated/forms.ts'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { LeaveGuard } from '../../ui/schema-form/leave.tsx'
import { FormFields } from '../../ui/schema-form/schema-form.tsx'
import { type FormState, useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { Act } from './acts.tsx'
import { FieldsEditor } from './fields-editor.tsx'
import styles from './forms.module.css'
import { Preview } from './preview.tsx'
import { type ReadForm, useForm, useReadForm } from './queries.ts'
import { formTypeName } from './words.ts'

export function EditForm() {
  const { id = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useForm(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return <Builder key={id} read={read} />
}

/** A form as it is made, with what visitors see of it beside. It is a draft until it is published. */
function Builder({ read }: { readonly read: ReadForm }) {
  const { id, name } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readForm = useReadForm(id)
  const { canChange } = useRights()
  const [isPublishing, setPublishing] = useState(false)
  const form = useSchemaForm<FormChanges>({
    operation: formsUpdate,
    read,
    readAgain: () => readForm(),
    of: id,
    send: (body, options) => client.forms.update(id, body, options),
    onDone: () => queries.invalidateQueries({ queryKey: [project, side, 'forms'] }),
  })
  return (
    <Page
      title={t('Edit {name}', { name })}
      back={
        <Link to="/$project/$side/forms/$id" params={{ project, side, id }}>
          {t('The form and its submissions')}
        </Link>
      }
      actions={
        canChange && (
          <Button isDisabled={form.isDirty} onPress={() => setPublishing(true)}>
            {t('Publish')}
          </Button>
        )
      }
    >
      <Form
        className={styles.builder}
        onSubmit={(event) => {
          event.preventDefault()
          if (canChange) form.submit()
        }}
      >
        {form.error && <ErrorNotice error={form.error} />}
        <div className={styles.columns}>
          <fieldset className={styles.editor} disabled={!canChange}>
            <Section title={t('Fields')}>
              <FieldsEditor form={form} canChange={canChange} />
            </Section>
            <details className={styles.more} open={isSettingsAsked(form)}>
              <summary>{t('Name and settings')}</summary>
              <FormFields form={form} {...textsOf(form.draft['type'] === 'signup')} />
            </details>
          </fieldset>
          <Section title={t('As visitors see it')}>
            <Preview read={read} form={form} />
          </Section>
        </div>
        {canChange && (
          <div className={styles.save}>
            <Button kind="primary" type="submit" isDisabled={!form.isDirty} isPending={form.isPending}>
              {t('Save the draft')}
            </Button>
            {form.isDirty && (
              <Button isDisabled={form.isPending} onPress={form.discard}>
                {t('Discard changes')}
              </Button>
            )}
            <p role="status">{form.isDirty ? t('There are changes that are not saved') : t('Saved')}</p>
          </div>
        )}
        <LeaveGuard mustAsk={form.mustAsk} />
      </Form>
      {isPublishing && <Act name="publish" read={read} onClose={() => setPublishing(false)} />}
    </Page>
  )
}

/** What somebody else has changed, and what was refused, is shown with the settings. */
const isSettingsAsked = ({ faults, conflict, offered }: FormState): boolean =>
  conflict !== undefined || offered !== undefined || faults.some(({ field }) => !field.startsWith('fields'))

const textsOf = (isSignUp: boolean) => ({
  labels: {
    name: t('Name'),
    description: t('Description'),
    fields: t('Fields'),
    type: t('Purpose'),
    settings: t('Settings'),
    'settings.submit_button_text': t('Words on the button'),
    'settings.success_message': t('What people read afterwards'),
    'settings.redirect_url': t('Where the page leads afterwards'),
    'settings.spam': t('Against spam'),
    'settings.spam.honeypot': t('Name of a hidden bait'),
    'settings.spam.min_seconds': t('Least seconds to fill it in'),
    'settings.spam.duplicate_seconds': t('Seconds in which the same again is spam'),
    'settings.signup': t('What makes the member'),
    'settings.signup.email_field': t('Field of the email address'),
    'settings.signup.password_field': t('Field of the password'),
    'settings.signup.full_name_field': t('Field of the name'),
  },
  controls: {
    // They have an editor of their own.
    fields: () => null,
    type: {
      options: ['contact', 'signup', 'feedback', 'custom'].map((id) => ({ id, name: formTypeName(id) })),
    },
  },
  ...(!isSignUp && { without: ['settings.signup'] }),
})
