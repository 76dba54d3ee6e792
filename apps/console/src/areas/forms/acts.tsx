import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import type { ReadForm } from './queries.ts'

export type ActName = 'publish' | 'archive' | 'duplicate' | 'delete'

interface Props {
  readonly name: ActName
  readonly read: ReadForm
  readonly onClose: () => void
}

/** Says what an act on a form does, before it is done. */
export function Act({ name, read: { value: form, etag }, onClose }: Props) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { title, verb, effect } = wordsOf(name, form)
  const act = (): Promise<unknown> => {
    if (name === 'publish') return client.forms.publish(form.id)
    if (name === 'archive') return client.forms.archive(form.id)
    if (name === 'duplicate') return client.forms.duplicate(form.id)
    return client.forms.delete(form.id, { ifMatch: etag })
  }
  const onDone = async (made: unknown) => {
    if (name === 'delete') await navigate({ to: '/$project/$side/forms', params: { project, side } })
    if (name === 'duplicate') {
      const { id } = made as { id: string }
      await navigate({ to: '/$project/$side/forms/$id/edit', params: { project, side, id } })
    }
    await queries.invalidateQueries({ queryKey: [project, side, 'forms'] })
  }
  return (
    <Confirm
      {...{ title, verb, act, onDone, onClose }}
      risk={name === 'delete' ? { name: form.name } : 'plain'}
      isDanger={name === 'delete' || name === 'archive'}
    >
      {effect}
    </Confirm>
  )
}

function wordsOf(name: ActName, { name: called, submission_count = 0, version = 0 }: ReadForm['value']) {
  const submissions = submission_count
  switch (name) {
    case 'publish':
      return {
        title: t('Publish “{name}”?', { name: called }),
        verb: t('Publish'),
        effect:
          version === 0
            ? t('Visitors can fill it in from now on.')
            : t('Visitors see the present fields and settings at once, as version {version}.', {
                version: version + 1,
              }),
      }
    case 'archive':
      return {
        title: t('Close “{name}”?', { name: called }),
        verb: t('Close the form'),
        effect: t(
          'It takes no more submissions. The {submissions} that {submissions:is there stays|are there stay}.',
          { submissions },
        ),
      }
    case 'duplicate':
      return {
        title: t('Duplicate “{name}”?', { name: called }),
        verb: t('Duplicate'),
        effect: t('The copy is a draft with the same fields, and without submissions.'),
      }
    case 'delete':
      return {
        title: t('Delete “{name}”?', { name: called }),
        verb: t('Delete'),
        effect: t(
          'Its {submissions} {submissions:submission and its|submissions and their} files are deleted too. This cannot be undone.',
          {
            submissions,
          },
        ),
      }
  }
}
