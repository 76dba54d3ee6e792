import type {
  NewProtectionRule,
  ProtectionRuleChanges,
  ProtectionRuleInFull,
  RuleDraft,
} from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { memberContentCreate, memberContentUpdate } from '../../forms.generated/memberContent.ts'
import { CodeButton } from '../../ui/as-code/code-button.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { planControl } from '../../ui/plan-choice/plan-choice.tsx'
import type { FieldTexts } from '../../ui/schema-form/field.tsx'
import { LeaveGuard } from '../../ui/schema-form/leave.tsx'
import { FormFields } from '../../ui/schema-form/schema-form.tsx'
import { type FormState, useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { DeleteRule } from './delete.tsx'
import { EffectQuestion } from './effect.tsx'
import { useReadRule, useRule } from './queries.ts'
import styles from './rules.module.css'

const FIELDS = [
  ...['url_pattern', 'required_plans', 'features', 'after_days', 'free_views', 'redirect_url', 'is_active'],
]

const textsOf = (): FieldTexts => ({
  labels: {
    url_pattern: t('Pages'),
    required_plans: t('Plans'),
    features: t('Features'),
    after_days: t('Days as a member'),
    free_views: t('Free pages a month'),
    redirect_url: t('Others go to'),
    is_active: t('The rule is active'),
  },
  descriptions: {
    url_pattern: t(
      'Such as /courses/** or example.com/courses/**. One * is a text between slashes, ** is any number of parts.',
    ),
    required_plans: t('None chosen: every active member may see the pages.'),
    features: t('A member must have all of these.'),
    after_days: t('Empty: from the first day on.'),
    free_views: t('What a member without access may see in a calendar month. Empty: nothing.'),
    redirect_url: t('An address or a path. Empty: your site decides.'),
    is_active: '',
  },
  controls: {
    url_pattern: 'text',
    redirect_url: 'text',
    required_plans: planControl,
  },
})

export function NewRule() {
  const { project, side, client } = useProject()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const form = useSchemaForm<NewProtectionRule, { readonly id: string }>({
    operation: memberContentCreate,
    fields: FIELDS,
    initial: { is_active: true },
    send: (body) => client.memberContent.create(body),
    onDone: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: [project, side, 'page-rules'] })
      await navigate({ to: '/$project/$side/page-rules/$id', params: { project, side, id } })
    },
  })
  return (
    <RulePage title={t('Create a rule')}>
      <RuleForm form={form} ruleId={undefined} />
    </RulePage>
  )
}

export function EditRule() {
  const { id = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useRule(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return <Editor key={id} read={read} />
}

function Editor({ read }: { readonly read: Read<ProtectionRuleInFull> }) {
  const { id, url_pattern } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readRule = useReadRule(id)
  const { canChange } = useRights()
  const [isDeleting, setDeleting] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const form = useSchemaForm<ProtectionRuleChanges>({
    operation: memberContentUpdate,
    fields: FIELDS,
    read,
    readAgain: () => readRule(),
    of: id,
    send: (body, options) => client.memberContent.update(id, body, options),
    onDone: async () => {
      setSaved(true)
      await queries.invalidateQueries({ queryKey: [project, side, 'page-rules'] })
    },
    onUnchanged: () => setSaved(true),
  })
  return (
    <RulePage
      title={url_pattern}
      actions={
        canChange && (
          <Button kind="danger" onPress={() => setDeleting(true)}>
            {t('Delete')}
          </Button>
        )
      }
    >
      <RuleForm form={form} ruleId={id} />
      <p role="status">{isSaved && !form.isDirty && t('Saved')}</p>
      {isDeleting && <DeleteRule read={read} onClose={() => setDeleting(false)} />}
    </RulePage>
  )
}

interface PageProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

function RulePage({ title, actions, children }: PageProps) {
  const { project = '', side = '' } = useParams({ strict: false })
  return (
    <Page
      title={title}
      back={
        <Link to="/$project/$side/page-rules" params={{ project, side }}>
          {t('All page rules')}
        </Link>
      }
      actions={actions}
    >
      {children}
    </Page>
  )
}

interface FormProps {
  readonly form: FormState
  /** Of the rule that changes; undefined for a new one. */
  readonly ruleId: string | undefined
}

/** The fields of a rule. What it would change for those who came in the last 30 days is said before it is saved. */
function RuleForm({ form, ruleId }: FormProps) {
  const { client } = useProject()
  const { canChange } = useRights()
  const simulate = useMutation({
    mutationFn: () =>
      client.memberContent.simulate({
        ...(form.body as RuleDraft),
        ...(ruleId !== undefined && { rule_id: ruleId }),
      }),
    // What is wrong with the rule itself, saving it says on its field.
    onError: (error) => (error as { status?: number }).status === 422 && form.submit(),
  })
  const isRefused = (simulate.error as { status?: number } | null)?.status === 422
  const ask = () => {
    const isMissing = String(form.draft['url_pattern'] ?? '').trim() === ''
    if (isMissing || Object.keys(form.body).length === 0) return form.submit()
    simulate.mutate()
  }
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!simulate.isPending && canChange) ask()
      }}
    >
      {form.error && form.faults.length === 0 && <ErrorNotice error={form.error} />}
      {simulate.error && !isRefused && <ErrorNotice error={simulate.error} />}
      <fieldset className={styles.fields} disabled={!canChange}>
        <FormFields form={form} {...textsOf()} codeIsElsewhere />
      </fieldset>
      {canChange && (
        <div className={styles.actions}>
          <Button kind="primary" type="submit" isPending={simulate.isPending || form.isPending}>
            {t('Save …')}
          </Button>
          {form.isDirty && !form.isNew && <Button onPress={form.discard}>{t('Discard changes')}</Button>}
          <CodeButton calls={[form.call]} />
        </div>
      )}
      <LeaveGuard mustAsk={form.mustAsk} />
      {simulate.data && (
        <EffectQuestion
          simulation={simulate.data}
          onClose={simulate.reset}
          onSave={() => {
            simulate.reset()
            form.submit()
          }}
        />
      )}
    </Form>
  )
}
