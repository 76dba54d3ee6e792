import { archiveArticle, createArticle, publishArticle, updateArticle } from '#areas/help/articles/service.ts'
import { createCategory } from '#areas/help/categories/service.ts'
import { articleId } from '#areas/help/ids.ts'
import { putTranslation } from '#areas/help/translations/service.ts'
import { putVote } from '#areas/help/votes/queries.ts'
import { createRule } from '#areas/member-content/rules/service.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { DAY_MS, HOUR_MS } from './agenda.ts'
import { rendered } from './community.ts'
import { type Part, readPeople, type Scene } from './part.ts'

interface Article {
  readonly title: string
  readonly text: string
  /** The title and the text in German. */
  readonly german?: readonly [string, string]
  readonly labels: readonly string[]
  readonly visibility?: 'public' | 'members' | 'internal'
  readonly becomes?: 'draft' | 'archived' | 'edited'
}

const ARTICLES: readonly Article[] = [
  {
    title: 'Change your address',
    text: 'Open **Your account**, choose *Address*, and save.',
    german: ['Die Adresse ändern', 'Öffne **Dein Konto**, wähle *Adresse*, und sichere.'],
    labels: ['account'],
  },
  {
    title: 'Pause a subscription',
    text: 'A pause adds its length to the period:\n\n1. Open the subscription.\n2. Choose *Pause*.',
    german: [
      'Ein Abo pausieren',
      'Eine Pause verlängert den Zeitraum:\n\n1. Öffne das Abo.\n2. Wähle *Pause*.',
    ],
    labels: ['plans', 'money'],
  },
  {
    title: 'Send something back',
    text: 'Within 14 days. Write the number of the order on the parcel.',
    german: [
      'Etwas zurücksenden',
      'Innerhalb von 14 Tagen. Schreibe die Nummer der Bestellung auf das Paket.',
    ],
    labels: ['shop'],
  },
  {
    title: 'Where is my parcel?',
    text: 'The mail that says that it was sent has a tracking number.',
    labels: ['shop'],
    becomes: 'edited',
  },
  {
    title: 'Download a pattern',
    text: 'Patterns are under **Downloads**, as PDF.',
    german: ['Ein Muster herunterladen', 'Muster sind unter **Downloads**, als PDF.'],
    labels: ['downloads'],
  },
  {
    title: 'Get your certificate',
    text: 'It is made when every required lesson is done.',
    german: ['Das Zertifikat bekommen', 'Es entsteht, wenn alle nötigen Lektionen fertig sind.'],
    labels: ['courses'],
  },
  {
    title: 'Rules of the discussions',
    text: '- Be kind.\n- Do not sell.\n- Say where a pattern comes from.',
    german: [
      'Regeln der Diskussionen',
      '- Sei freundlich.\n- Verkaufe nichts.\n- Sag, woher ein Muster kommt.',
    ],
    labels: ['community'],
  },
  {
    title: 'For moderators',
    text: 'What to do with spam, and when to ask.',
    labels: ['community'],
    visibility: 'internal',
  },
  {
    title: 'Studio hours',
    text: 'Tuesday to Saturday, 10 to 18.',
    labels: ['studio'],
    visibility: 'members',
  },
  { title: 'Washing wool', text: 'Cold, and without wringing.', labels: ['wool'], becomes: 'draft' },
  { title: 'The summer sale', text: 'It is over.', labels: ['shop'], becomes: 'archived' },
  {
    title: 'Pay by bank transfer',
    text: 'Name the number of the bill. It takes two days.',
    german: ['Per Überweisung zahlen', 'Nenne die Nummer der Rechnung. Es dauert zwei Tage.'],
    labels: ['money'],
  },
]

/** Articles in two languages with ratings and versions, and rules that protect pages. */
export const help: Part = {
  name: 'help',
  begin: async () => {
    const texts = ARTICLES.map(({ text }) => rendered(text, true))
    const german = ARTICLES.map((article) => article.german && rendered(article.german[1], true))
    return async (scene) => {
      const { ctx, agenda } = scene
      const people = await readPeople(ctx)
      agenda.at(scene.ago(85), async () => {
        const shop = await createCategory(ctx, { name: 'Orders', icon: 'box', position: 3 })
        const community = await createCategory(ctx, { name: 'Community', icon: 'people', position: 4 })
        for (const [i, article] of ARTICLES.entries()) {
          const category = article.labels.includes('shop') ? shop.id : community.id
          agenda.at(scene.ago(84 - i * 3), () =>
            write(scene, {
              article,
              category,
              texts: [texts[i], german[i]],
              readers: people.map(({ id }) => id),
            }),
          )
        }
      })
      agenda.at(scene.ago(40), () => protectPages(scene))
      await agenda.run()
    }
  },
}

interface Writing {
  readonly article: Article
  readonly category: string
  readonly texts: readonly [ReturnType<typeof rendered> | undefined, ReturnType<typeof rendered> | undefined]
  readonly readers: readonly string[]
}

async function write(
  scene: Scene,
  { article, category, texts: [text, german], readers }: Writing,
): Promise<void> {
  const { ctx, agenda, dice } = scene
  if (text === undefined) return
  const { title, labels, visibility = 'public', becomes } = article
  const input = { title, content: article.text, labels: [...labels], visibility, category_id: category }
  const id = parseId(articleId, (await createArticle(ctx, input, text)).id) ?? ''
  if (article.german !== undefined && german !== undefined)
    await putTranslation(ctx, id, 'de', { title: article.german[0], content: article.german[1] }, german)
  if (becomes === 'draft') return
  await publishArticle(ctx, id)
  const at = agenda.moment
  if (becomes === 'archived') agenda.at(at + 30 * DAY_MS, () => archiveArticle(ctx, id))
  if (becomes === 'edited')
    agenda.at(at + 9 * DAY_MS, async () => {
      const more = rendered(`${article.text}\n\nIt takes until the evening to work.`, true)
      await updateArticle(ctx, id, { content: more.source }, more)
      await publishArticle(ctx, id)
    })
  for (let n = dice.upTo(scene.many(26)); n >= 0; n--) {
    const member_id = dice.one(readers)
    agenda.at(at + (20 + 11 * n) * HOUR_MS, () =>
      putVote('member_id')(ctx, {
        ...{ id: newUuid(), article_id: id, member_id, session_id: null },
        helpful: dice.chance(0.8),
      }),
    )
  }
}

async function protectPages({ ctx }: Scene): Promise<void> {
  await createRule(ctx, { url_pattern: '/studio/**', redirect_url: '/join' })
  await createRule(ctx, { url_pattern: '/downloads/*', features: ['downloads'], redirect_url: '/shop' })
  await createRule(ctx, { url_pattern: '/magazine/*', redirect_url: '/login', free_views: 5 })
}
