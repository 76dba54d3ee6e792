import type { Article } from '@guildhall/sdk'
import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from './help.module.css'
import { useArticleOptions, useLanguages } from './queries.ts'
import { languageName } from './words.ts'

interface Row {
  readonly locale: string
  readonly state: 'original' | 'current' | 'older' | 'missing'
}

const stateName = (state: Row['state']): string =>
  ({
    original: t('Original'),
    current: t('Up to date'),
    older: t('Older than the original'),
    missing: t('Missing'),
  })[state]

/** The languages of an article: what there is, what is older than the original, and what other articles have. */
export function Translations({ article }: { readonly article: Article }) {
  const { project, side } = useProject()
  const { canChange } = useRights()
  const rows = useRows(article)
  return (
    <>
      <DataTable
        label={t('Translations')}
        rows={rows}
        keyOf={({ locale }) => locale}
        columns={[
          {
            title: t('Language'),
            cell: ({ locale, state }) =>
              state === 'original' || (state === 'missing' && !canChange) ? (
                languageName(locale)
              ) : (
                <Link
                  to="/$project/$side/help/$id/$locale"
                  params={{ project, side, id: article.id, locale }}
                >
                  {languageName(locale)}
                </Link>
              ),
          },
          { title: t('Status'), cell: ({ state }) => <State state={state} /> },
        ]}
      />
      {canChange && <AddLanguage id={article.id} />}
    </>
  )
}

const TONES = { original: '', current: 'good', older: 'waiting', missing: 'waiting' } as const

function State({ state }: Pick<Row, 'state'>) {
  return (
    <span className={styles.state} data-tone={TONES[state]}>
      {stateName(state)}
    </span>
  )
}

function useRows({ id, original_locale, locales }: Article): readonly Row[] {
  const others = locales.filter((locale) => locale !== original_locale)
  const optionsOf = useArticleOptions(id)
  const reads = useQueries({ queries: others.map((locale) => optionsOf(locale)) })
  const { data: languages = [] } = useLanguages()
  return [
    { locale: original_locale, state: 'original' },
    ...others.map((locale, i): Row => {
      const isOutdated = reads[i]?.data?.value.is_outdated === true
      return { locale, state: isOutdated ? 'older' : 'current' }
    }),
    ...languages
      .filter((locale) => !locales.includes(locale))
      .map((locale): Row => ({ locale, state: 'missing' })),
  ]
}

function AddLanguage({ id }: { readonly id: string }) {
  const { project, side } = useProject()
  const navigate = useNavigate()
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        const locale = String(new FormData(event.currentTarget).get('locale')).trim()
        if (locale !== '')
          return navigate({ to: '/$project/$side/help/$id/$locale', params: { project, side, id, locale } })
      }}
    >
      <TextField label={t('Another language, such as fr or pt-BR')} name="locale" />
      <Button type="submit">{t('Translate')}</Button>
    </form>
  )
}
