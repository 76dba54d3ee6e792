import { type Static, Type } from 'typebox'
import { pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { articleId } from '../ids.ts'
import { ArticleId, Content, ContentHtml, Locale, Title } from '../schema.ts'

export const Translation = Type.Object(
  {
    article_id: ArticleId,
    locale: { ...Locale, examples: ['de'] },
    title: Title,
    content: Content,
    content_html: ContentHtml,
    is_outdated: Type.Boolean({
      description: 'True if the article was published with another text after this translation',
      examples: [false],
    }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Translation' },
)
export type Translation = Static<typeof Translation>

export const NewTranslation = strict(
  { title: Title, content: Content },
  {
    title: 'NewTranslation',
    examples: [{ title: 'Neues Passwort', content: '**Einstellungen** öffnen und *Passwort* wählen.' }],
  },
)
export const ByLocale = strict({
  id: pathId(articleId, ArticleId),
  locale: Type.String({ description: 'A language as a BCP 47 tag', examples: ['de'] }),
})
