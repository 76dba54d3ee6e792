import type { ArticleChanges } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { helpArticlesUpdate } from '../../forms.generated/help.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { MarkdownField } from '../../ui/markdown-field/markdown-field.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { Time } from '../../ui/time/time.tsx'
import { ArticleActs } from './acts.tsx'
import { type ReadArticle, useArticle, useCategories, useReadArticle } from './queries.ts'
import { Translations } from './translations.tsx'
import { Versions } from './versions.tsx'
import { languageName, visibilityName } from './words.ts'

export function ArticleScreen() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useArticle(id)
  const { canChange } = useRights()
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: article } = read
  return (
    <Page
      title={article.draft?.title ?? article.title}
      back={
        <Link to="/$project/$side/help" params={{ project, side }}>
          {t('All articles')}
        </Link>
      }
      actions={canChange && <ArticleActs read={read} />}
    >
      {canChange && (
        <Section title={article.version === 0 ? t('Draft') : t('Draft of the next version')}>
          <p role="status">{stateOf(article)}</p>
          <Writing key={id} read={read} />
        </Section>
      )}
      <Section title={t('Article')}>
        <About read={read} />
      </Section>
      <Section title={t('Translations')}>
        <Translations article={article} />
      </Section>
      <Section title={t('Published versions')}>
        <Versions article={article} />
      </Section>
    </Page>
  )
}

/** What readers see now, in a sentence. */
function stateOf({ status, version, draft }: ReadArticle['value']): string {
  if (status === 'archived') return t('Readers do not see this article.')
  if (status === 'draft' || version === 0) return t('Readers do not see this article yet.')
  return draft
    ? t('Readers see version {version}; this draft is not published yet.', { version })
    : t('Readers see this text, as version {version}.', { version })
}

const valuesOf = ({ value: { title, content, draft }, etag }: ReadArticle) => ({
  value: { title: draft?.title ?? title, content: draft?.content ?? content },
  etag,
})

function Writing({ read }: { readonly read: ReadArticle }) {
  const { id } = read.value
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const readArticle = useReadArticle(id)
  const form = useSchemaForm<ArticleChanges>({
    operation: helpArticlesUpdate,
    fields: ['title', 'content'],
    read: valuesOf(read),
    readAgain: async () => valuesOf(await readArticle()),
    of: id,
    send: (body, options) => client.help.articles.update(id, body, options),
    onDone: () => queries.invalidateQueries({ queryKey: [project, side, 'help'] }),
  })
  return (
    <SchemaForm
      form={form}
      verb={t('Save the draft')}
      labels={{ title: t('Title'), content: t('Text') }}
      descriptions={{ title: '' }}
      controls={{
        content: ({ label, name, value, onChange, error }) => (
          <MarkdownField {...{ label, name, onChange, error }} value={String(value ?? '')} rows={18} />
        ),
      }}
    />
  )
}

function About({ read: { value: article } }: { readonly read: ReadArticle }) {
  const { data: categories = [] } = useCategories()
  const { helpful_count: yes, unhelpful_count: no } = article
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{article.id}</code>],
        [t('Status'), <Badge key="status" state={article.status} />],
        [t('Category'), categories.find(({ id }) => id === article.category_id)?.name],
        [t('Readers'), visibilityName(article.visibility)],
        [t('Slug'), <code key="slug">{article.slug}</code>],
        [t('Labels'), article.labels.join(', ')],
        [t('Language'), languageName(article.original_locale)],
        [t('Helpful'), yes + no > 0 && t('{yes} of {all}', { yes: yes, all: yes + no })],
        [t('Published'), article.published_at && <Time at={article.published_at} />],
        [t('Changed'), <Time key="changed" at={article.updated_at} />],
      ]}
    />
  )
}
