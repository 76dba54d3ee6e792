import type { ArticleChanges } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { helpArticlesUpdate } from '../../forms.generated/help.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { planControl } from '../../ui/plan-choice/plan-choice.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { type ReadArticle, useCategories, useReadArticle } from './queries.ts'
import { VISIBILITIES, visibilityName } from './words.ts'

type Asked = 'publish' | 'archive' | 'properties' | 'delete'

/** What can be done with an article. */
export function ArticleActs({ read }: { readonly read: ReadArticle }) {
  const [asked, setAsked] = useState<Asked>()
  const { status, draft } = read.value
  const close = () => setAsked(undefined)
  const hasNews = status !== 'published' || Boolean(draft)
  return (
    <>
      <Button kind="primary" isDisabled={!hasNews} onPress={() => setAsked('publish')}>
        {t('Publish')}
      </Button>
      <Button onPress={() => setAsked('properties')}>{t('Properties')}</Button>
      {status === 'published' && (
        <Button onPress={() => setAsked('archive')}>{t('Take it from readers')}</Button>
      )}
      <Button kind="danger" onPress={() => setAsked('delete')}>
        {t('Delete')}
      </Button>
      {asked === 'properties' && <Properties read={read} onClose={close} />}
      {asked !== undefined && asked !== 'properties' && (
        <Question asked={asked} read={read} onClose={close} />
      )}
    </>
  )
}

interface QuestionProps {
  readonly asked: Exclude<Asked, 'properties'>
  readonly read: ReadArticle
  readonly onClose: () => void
}

function Question({ asked, read: { value: article, etag }, onClose }: QuestionProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { id, slug, version, locales } = article
  const title = article.draft?.title ?? article.title
  const again = () => queries.invalidateQueries({ queryKey: [project, side, 'help'] })
  const translations = locales.length - 1
  if (asked === 'publish')
    return (
      <Confirm
        title={t('Publish “{name}”?', { name: title })}
        verb={t('Publish')}
        isDanger={false}
        act={() => client.help.articles.publish(id)}
        onDone={again}
        onClose={onClose}
      >
        <p>
          {t('Readers see it at once, as version {version}, at “{slug}”.', { version: version + 1, slug })}
        </p>
        {translations > 0 && Boolean(article.draft) && (
          <p>
            {t('{translations} {translations:translation is|translations are} then older than the text.', {
              translations,
            })}
          </p>
        )}
      </Confirm>
    )
  if (asked === 'archive')
    return (
      <Confirm
        title={t('Take “{name}” from readers?', { name: title })}
        verb={t('Take it from readers')}
        act={() => client.help.articles.archive(id)}
        onDone={again}
        onClose={onClose}
      >
        {t('Its address answers “not found”, and no search finds it. You can publish it again.')}
      </Confirm>
    )
  return (
    <Confirm
      title={t('Delete “{name}”?', { name: title })}
      verb={t('Delete')}
      risk={article.status === 'published' ? 'verb' : 'plain'}
      act={() => client.help.articles.delete(id, { ifMatch: etag })}
      onDone={async () => {
        await navigate({ to: '/$project/$side/help', params: { project, side } })
        await again()
      }}
      onClose={onClose}
    >
      {t(
        'Its {versions} {versions:version|versions}, {translations} {translations:translation|translations} and all votes are deleted too. This cannot be undone.',
        { versions: version, translations },
      )}
    </Confirm>
  )
}

/** What is beside the text of an article; it changes at once. */
function Properties({ read, onClose }: { readonly read: ReadArticle; readonly onClose: () => void }) {
  const { id, title } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readArticle = useReadArticle(id)
  const { data: categories = [] } = useCategories()
  const form = useSchemaForm<ArticleChanges>({
    operation: helpArticlesUpdate,
    fields: ['category_id', 'slug', 'labels', 'visibility', 'required_plans'],
    read,
    readAgain: () => readArticle(),
    of: `${id} properties`,
    ids: [id],
    send: (body, options) => client.help.articles.update(id, body, options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'help'] })
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Properties of “{name}”', { name: title })}
      verb={t('Save')}
      labels={{
        category_id: t('Category'),
        slug: t('Slug'),
        labels: t('Labels'),
        visibility: t('Readers'),
        required_plans: t('Plans'),
      }}
      descriptions={{
        category_id: '',
        slug: t('The end of its address. Earlier ones lead here as well.'),
        labels: t('Articles with the same labels are related.'),
        visibility: '',
        required_plans: t('None chosen: no plan is needed.'),
      }}
      controls={{
        category_id: { options: categories.map(({ id: category, name }) => ({ id: category, name })) },
        visibility: { options: VISIBILITIES.map((each) => ({ id: each, name: visibilityName(each) })) },
        required_plans: planControl,
      }}
      onClose={onClose}
    />
  )
}
