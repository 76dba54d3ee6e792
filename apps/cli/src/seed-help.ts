import { createArticle, publishArticle } from '#areas/help/articles/service.ts'
import { createCategory } from '#areas/help/categories/service.ts'
import { articleId } from '#areas/help/ids.ts'
import type { NewArticle } from '#areas/help/schema.ts'
import { putTranslation } from '#areas/help/translations/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { type Rendered, render } from '#platform/markdown/render.ts'

const PASSWORD: NewArticle = {
  title: 'Reset your password',
  content:
    'Open the login page and choose *Forgot password*.\n\n1. Enter your **email address**.\n2. Open the mail that we send.\n3. Choose a new password.\n\nThe link works once, for 15 minutes.',
  labels: ['account', 'login'],
}
const PASSWORD_DE = {
  title: 'Das Passwort zurücksetzen',
  content:
    'Öffne die Anmeldung und wähle *Passwort vergessen*.\n\n1. Gib deine **Adresse** ein.\n2. Öffne die Mail, die wir schicken.\n3. Wähle ein neues Passwort.',
}
const PLANS: NewArticle = {
  title: 'What the plans offer',
  content: '| Plan | Downloads |\n| - | - |\n| Free | no |\n| Supporter | yes |',
  labels: ['plans'],
}
const MEMBERS: NewArticle = {
  title: 'The members’ handbook',
  content: 'How we treat each other, and whom to ask.',
  visibility: 'members',
  labels: ['account'],
}
const DRAFT: NewArticle = {
  title: 'How to import members',
  content: 'To be written.',
  visibility: 'internal',
}

/** Fills the help center: nested categories, articles for everybody and for members, a translation and a draft. */
export async function seedHelp(ctx: Context): Promise<void> {
  const account = await createCategory(ctx, { name: 'Your account', icon: 'user', position: 1 })
  const login = await createCategory(ctx, { name: 'Logging in', icon: 'key', parent_id: account.id })
  const plans = await createCategory(ctx, { name: 'Plans and prices', icon: 'wallet', position: 2 })
  const write = async (article: NewArticle, category_id: string) => {
    const { id } = await createArticle(ctx, { ...article, category_id }, rendered(article.content))
    return parseId(articleId, id) ?? ''
  }
  const password = await write(PASSWORD, login.id)
  await publishArticle(ctx, password)
  await putTranslation(ctx, password, 'de', PASSWORD_DE, rendered(PASSWORD_DE.content))
  await publishArticle(ctx, await write(PLANS, plans.id))
  await publishArticle(ctx, await write(MEMBERS, account.id))
  await write(DRAFT, account.id)
}

/** Our own words nest nowhere deep. */
function rendered(content: string): Rendered {
  const outcome = render({ typed: content, keepsLabels: true })
  if (typeof outcome === 'string') throw new Error(`the demo text is ${outcome}`)
  return outcome
}
