import type { Article, NewTranslation } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormOperation } from '../../data/form-fields.ts'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { helpArticlesTranslationsSet } from '../../forms.generated/help.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import styles from './help.module.css'
import { useArticle, useHelpChange } from './queries.ts'
import { languageName } from './words.ts'

/** An article in another language, beside the original. */
export function TranslateScreen() {
  const { id = '', locale = '', project = '', side = '' } = useParams({ strict: false })
  const original = useArticle(id)
  const translated = useArticle(id, locale)
  const { canChange } = useRights()
  const [isDeleting, setDeleting] = useState(false)
  const error = original.error ?? translated.error
  if (original.data === undefined || translated.data === undefined)
    return error ? <ErrorNotice error={error} /> : <p role="status">{t('Loading …')}</p>
  const { value: article } = original.data
  // Where there is none in this language, another one is answered.
  const translation = translated.data.value.locale === locale ? translated.data.value : undefined
  const isThere = translation !== undefined
  return (
    <Page
      title={t('“{title}” in {language}', { title: article.title, language: languageName(locale) })}
      back={
        <Link to="/$project/$side/help/$id" params={{ project, side, id }}>
          {t('The article')}
        </Link>
      }
      actions={
        canChange &&
        isThere && (
          <Button kind="danger" onPress={() => setDeleting(true)}>
            {t('Delete the translation')}
          </Button>
        )
      }
    >
      {translation?.is_outdated && (
        <p role="status" className={styles.older}>
          {t(
            'The original was published with another text after this translation. Saving marks it as up to date.',
          )}
        </p>
      )}
      <div className={styles.sides}>
        <Section title={t('Original: {language}', { language: languageName(article.original_locale) })}>
          <p lang={article.original_locale} className={styles.originalTitle}>
            <bdi>{article.draft?.title ?? article.title}</bdi>
          </p>
          <pre lang={article.original_locale} className={styles.original} dir="auto">
            {article.draft?.content ?? article.content}
          </pre>
        </Section>
        <Section title={t('Translation: {language}', { language: languageName(locale) })}>
          <Translating key={`${locale} ${isThere}`} id={id} locale={locale} translation={translation} />
        </Section>
      </div>
      {isDeleting && <DeleteTranslation id={id} locale={locale} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

type Texts = Pick<Article, 'title' | 'content'>
const NONE: Texts = { title: '', content: '' }
const textsOf = ({ title, content }: Texts): Texts => ({ title, content })

/** A translation is replaced as a whole and has no ETag: its texts say whether somebody else has saved it meanwhile. */
const asRead = (texts: Texts): Read<Texts> => ({ value: texts, etag: JSON.stringify(texts) })
const SET: FormOperation = { ...helpArticlesTranslationsSet, takesIfMatch: true }

interface TranslatingProps {
  readonly id: string
  readonly locale: string
  readonly translation: Article | undefined
}

function Translating({ id, locale, translation }: TranslatingProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { canChange } = useRights()
  const set = (body: NewTranslation) => client.help.articles.translations.set(id, locale, body)
  const present = translation && textsOf(translation)
  const readAgain = async (): Promise<Read<Texts>> => {
    const now = await client.help.articles.get(id, { locale })
    return asRead(now.locale === locale ? textsOf(now) : NONE)
  }
  // What is saved without a change is up to date again.
  const mark = useHelpChange(() => set(present ?? NONE))
  const form = useSchemaForm<Partial<NewTranslation>>({
    operation: SET,
    ...(present && { read: asRead(present) }),
    readAgain,
    of: `${id} ${locale}`,
    ids: [id, locale],
    send: async (body, { ifMatch }) => {
      const now = await readAgain()
      if (ifMatch !== undefined && now.etag !== ifMatch)
        throw Object.assign(new Error('The translation was changed'), { code: 'CHANGED_MEANWHILE' })
      return set({ ...NONE, ...now.value, ...body })
    },
    onDone: () => queries.invalidateQueries({ queryKey: [project, side, 'help'] }),
    onUnchanged: () => mark.mutate(),
  })
  return (
    <fieldset className={styles.plain} disabled={!canChange} lang={locale}>
      <SchemaForm
        form={form}
        verb={t('Save the translation')}
        labels={{ title: t('Title'), content: t('Text') }}
        descriptions={{ title: '' }}
        controls={{
          content: ({ label, name, value, onChange, error }) => (
            <TextArea
              {...{ label, name, onChange, error }}
              value={String(value ?? '')}
              rows={18}
              description={t('Markdown')}
            />
          ),
        }}
      />
    </fieldset>
  )
}

interface DeleteProps {
  readonly id: string
  readonly locale: string
  readonly onClose: () => void
}

function DeleteTranslation({ id, locale, onClose }: DeleteProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <Confirm
      title={t('Delete the translation into {language}?', { language: languageName(locale) })}
      verb={t('Delete')}
      act={() => client.help.articles.translations.delete(id, locale)}
      onDone={async () => {
        await navigate({ to: '/$project/$side/help/$id', params: { project, side, id } })
        await queries.invalidateQueries({ queryKey: [project, side, 'help'] })
      }}
      onClose={onClose}
    >
      {t('Its readers then get the article in its original language. This cannot be undone.')}
    </Confirm>
  )
}
