import type { ModerationVerdict } from '@guildhall/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { faultOf, isOnFields } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { kindNames } from './case.tsx'
import styles from './test-text.module.css'
import { ModerationViews } from './views.tsx'

/** Shows what the rules would do with a text. Nothing is stored. */
export function TestText() {
  const { client, project, side } = useProject()
  const [typed, setTyped] = useState(NOTHING)
  const set = (name: keyof Typed) => (text: string) => setTyped((before) => ({ ...before, [name]: text }))
  const body = bodyOf(typed)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => client.moderation.rules.test(body),
  })
  return (
    <Page
      title={t('Test a text')}
      views={<ModerationViews />}
      sends={{ name: 'moderation.rules.test', args: [body] }}
    >
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        {error && !isOnFields(error, ['content', 'title', 'member_id']) && <ErrorNotice error={error} />}
        <TextField
          label={t('Title')}
          name="title"
          value={typed.title}
          onChange={set('title')}
          error={faultOf(error, 'title')}
        />
        <TextArea
          label={t('Text')}
          name="content"
          rows={6}
          isRequired
          value={typed.content}
          onChange={set('content')}
          error={faultOf(error, 'content')}
        />
        <TextField
          label={t('Id of the author')}
          name="member_id"
          value={typed.member_id}
          onChange={set('member_id')}
          description={t('Without one, rules about authors do not apply')}
          error={faultOf(error, 'member_id')}
        />
        <p>
          <Button kind="primary" type="submit" isPending={isPending}>
            {t('Test the text')}
          </Button>
        </p>
      </Form>
      <div role="status">{data && <Verdict verdict={data} params={{ project, side }} />}</div>
    </Page>
  )
}

const NOTHING = { title: '', content: '', member_id: '' }
type Typed = typeof NOTHING

const bodyOf = ({ title, content, member_id: id }: Typed) => ({
  content,
  ...(title !== '' && { title }),
  ...(id.trim() !== '' && { member_id: id.trim() }),
})

interface VerdictProps {
  readonly verdict: ModerationVerdict
  readonly params: { readonly project: string; readonly side: string }
}

function Verdict({ verdict: { action, rules }, params }: VerdictProps) {
  const said: Readonly<Record<string, string>> = {
    publish: t('The post would be shown at once.'),
    hold: t('The post would wait for a moderator.'),
    refuse: t('The post would be refused.'),
  }
  return (
    <Section title={t('What would happen')}>
      <p>{said[action] ?? action}</p>
      {rules.length > 0 && (
        <DataTable
          label={t('Rules that apply')}
          rows={rules}
          keyOf={({ id }) => id}
          linkOf={({ id }) => ({
            to: '/$project/$side/moderation/rules/$id',
            params: { ...params, id },
          })}
          columns={[
            { title: t('Rule'), cell: ({ name, kind }) => <bdi>{name || kindNames()[kind] || kind}</bdi> },
            { title: t('What it found'), cell: ({ found }) => <bdi>{found}</bdi> },
            {
              title: t('What it does'),
              cell: ({ action: does }) => (does === 'refuse' ? t('Refuses the post') : t('Holds the post')),
            },
          ]}
        />
      )}
    </Section>
  )
}
