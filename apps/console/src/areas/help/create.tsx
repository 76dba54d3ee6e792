import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { type PlacedCategory, useHelpChange } from './queries.ts'

const NONE = 'none'

interface Props {
  readonly categories: readonly PlacedCategory[]
  /** What it is about, where that is known. */
  readonly title?: string
  readonly onClose: () => void
}

/** A new article is a draft; its editor opens. */
export function CreateArticle({ categories, title: about = '', onClose }: Props) {
  const { project, side } = useProject()
  const navigate = useNavigate()
  const [category, setCategory] = useState(NONE)
  const { mutate, isPending, error } = useHelpChange(
    (client, { title, locale }: { title: string; locale: string }) =>
      client.help.articles.create({
        title,
        content: '',
        category_id: category === NONE ? null : category,
        ...(locale !== '' && { locale }),
      }),
    ({ id }) => navigate({ to: '/$project/$side/help/$id', params: { project, side, id } }),
  )
  return (
    <FormDialog
      title={t('Write an article')}
      verb={t('Create')}
      isPending={isPending}
      error={error}
      fields={['title', 'locale', 'category_id']}
      onSubmit={(form) =>
        mutate({ title: String(form.get('title')), locale: String(form.get('locale')).trim() })
      }
      onClose={onClose}
    >
      <TextField
        label={t('Title')}
        name="title"
        defaultValue={about}
        isRequired
        autoFocus
        error={faultOf(error, 'title')}
      />
      <Select
        label={t('Category')}
        isLabelShown
        options={[{ id: NONE, name: t('No category') }, ...categories]}
        value={category}
        onChange={setCategory}
        error={faultOf(error, 'category_id')}
      />
      <TextField
        label={t('Language')}
        name="locale"
        description={t('A tag such as en or de-AT. Empty: en')}
        error={faultOf(error, 'locale')}
      />
      <p>{t('It is a draft until you publish it.')}</p>
    </FormDialog>
  )
}
