import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { CodeBlock } from '../../ui/code-block/code-block.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { kindNames } from './case.tsx'
import { useAct, useReadAgain, useRule } from './queries.ts'
import { EditRule } from './rule-form.tsx'
import { authorsOf, limitOf } from './rules.tsx'

export function RuleDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useRule(id)
  const { canChange } = useRights()
  const { client } = useProject()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const readAgain = useReadAgain()
  const turn = useAct((enabled: boolean) => client.moderation.rules.update(id, { enabled }))
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { rule } = read
  const title = rule.name || kindNames()[rule.kind] || rule.kind
  return (
    <Page
      title={title}
      back={
        <Link to="/$project/$side/moderation/rules" params={{ project, side }}>
          {t('All rules')}
        </Link>
      }
      actions={
        canChange && (
          <>
            <Button isPending={turn.isPending} onPress={() => turn.mutate(!rule.enabled)}>
              {rule.enabled ? t('Disable') : t('Enable')}
            </Button>
            <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
            <Button kind="danger" onPress={() => setOpen('delete')}>
              {t('Delete')}
            </Button>
          </>
        )
      }
    >
      {turn.error && <ErrorNotice error={turn.error} />}
      <Section title={t('Rule')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{rule.id}</code>],
            [t('Kind'), kindNames()[rule.kind] ?? rule.kind],
            [t('What it finds'), <bdi key="finds">{limitOf({ ...rule })}</bdi>],
            [t('Only of these authors'), authorsOf(rule) || t('Everybody')],
            [t('What it does'), rule.action === 'refuse' ? t('Refuses the post') : t('Holds the post')],
            [t('Status'), <Badge key="status" state={rule.enabled ? 'enabled' : 'disabled'} />],
            [t('Changed'), <Time key="changed" at={rule.updated_at} />],
          ]}
        />
        {rule.words.length > 0 && <CodeBlock label={t('Words')} text={rule.words.join('\n')} />}
      </Section>
      {open === 'edit' && <EditRule read={read} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={t('Delete “{name}”?', { name: title })}
          verb={t('Delete')}
          act={() => client.moderation.rules.delete(id, { ifMatch: read.etag })}
          onDone={async () => {
            await navigate({ to: '/$project/$side/moderation/rules', params: { project, side } })
            await readAgain()
          }}
          onClose={close}
        >
          <p>
            {t(
              'Posts that it has held wait for a moderator as before. New posts are no longer judged by it.',
            )}
          </p>
        </Confirm>
      )}
    </Page>
  )
}
