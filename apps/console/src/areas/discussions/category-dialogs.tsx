import type { DiscussionCategory } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Checkbox } from '../../ui/checkbox/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { PlanChoice } from '../../ui/plan-choice/plan-choice.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useAct } from './queries.ts'

interface EditProps {
  /** Without it, a new one is made. */
  readonly of?: DiscussionCategory
  readonly onClose: () => void
}

const FIELDS = ['name', 'slug', 'description', 'position', 'required_plans', 'moderated']

/** Makes or changes a category, and says who can enter it. */
export function EditCategory({ of, onClose }: EditProps) {
  const { client } = useProject()
  const [plans, setPlans] = useState<readonly string[]>(of?.required_plans ?? [])
  const [isModerated, setModerated] = useState(of?.moderated ?? false)
  const { mutate, isPending, error } = useAct((form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const body = {
      ...{ name: text('name'), description: text('description') },
      ...(text('slug') !== '' && { slug: text('slug') }),
      ...(text('position') !== '' && { position: Number(text('position')) }),
      ...{ required_plans: [...plans], moderated: isModerated },
    }
    return of === undefined
      ? client.discussionCategories.create(body)
      : client.discussionCategories.update(of.id, body)
  }, onClose)
  return (
    <FormDialog
      title={of === undefined ? t('Create a category') : t('Edit {name}', { name: of.name })}
      verb={of === undefined ? t('Create') : t('Save')}
      isPending={isPending}
      error={error}
      fields={FIELDS}
      onSubmit={mutate}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="name"
        defaultValue={of?.name ?? ''}
        isRequired
        autoFocus
        error={faultOf(error, 'name')}
      />
      <TextField
        label={t('Slug')}
        name="slug"
        defaultValue={of?.slug ?? ''}
        description={t(
          'Lower-case words joined by hyphens, for addresses. Without one it is made of the name',
        )}
        error={faultOf(error, 'slug')}
      />
      <TextArea
        label={t('Description')}
        name="description"
        rows={3}
        defaultValue={of?.description ?? ''}
        error={faultOf(error, 'description')}
      />
      <TextField
        label={t('Position')}
        name="position"
        inputMode="numeric"
        defaultValue={of === undefined ? '' : String(of.position)}
        description={t('Smaller numbers come first')}
        error={faultOf(error, 'position')}
      />
      <PlanChoice
        label={t('Plans that may enter')}
        description={t('One is enough. None chosen: everybody may read and write.')}
        chosen={plans}
        onChange={setPlans}
        error={faultOf(error, 'required_plans')}
      />
      <Checkbox
        label={t('The first post of a member waits for a moderator')}
        isChosen={isModerated}
        onChange={setModerated}
        error={faultOf(error, 'moderated')}
      />
      {of !== undefined && of.discussion_count > 0 && plans.join() !== of.required_plans.join() && (
        <p role="status">
          {t('This changes who sees {count} {count:discussion|discussions}, at once.', {
            count: of.discussion_count,
          })}
        </p>
      )}
    </FormDialog>
  )
}

interface DeleteProps {
  readonly of: DiscussionCategory
  readonly onClose: () => void
}

/** A category that has discussions is not deleted: they are moved first. */
export function DeleteCategory({ of, onClose }: DeleteProps) {
  const { client } = useProject()
  const { mutate, isPending, error } = useAct(() => client.discussionCategories.delete(of.id), onClose)
  return (
    <FormDialog
      title={t('Delete “{name}”?', { name: of.name })}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {of.discussion_count > 0
          ? t(
              'It has {count} {count:discussion. Move or remove it|discussions. Move or remove them} first.',
              {
                count: of.discussion_count,
              },
            )
          : t('It has no visible discussions.')}
      </p>
    </FormDialog>
  )
}
