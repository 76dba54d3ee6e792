/**
 * `npm run screenshots -- elements|docs|console [folder]`: pictures of the elements on the demo site of a running `npm start`, of each kind of
 * page of its documentation, or of every screen of its console, in both themes at 390 and 1280 pixels, to be looked at by people. Nothing is
 * compared. Of the console: `--language en|de|rtl` (rtl: longer texts, from right to left), and `--only members,members/$id` for these screens
 * as the router names them.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createClient } from '../packages/sdk/src/guildhall.ts'
import { makePictureData } from './console/picture-data.ts'
import { PICTURE_LANGUAGES, type PictureLanguage, prepareConsole, takePictures } from './console/pictures.ts'
import { findChromium } from './find-program.ts'
import { dataDirFrom } from './launcher/settings.ts'

interface Shot {
  readonly name: string
  readonly path: string
  readonly isMember?: boolean
  readonly prepare?: (page: Page) => Promise<unknown>
}

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** One picture for each state that looks different. */
const SHOTS: readonly Shot[] = [
  { name: 'login', path: '/' },
  { name: 'login-fault', path: '/', prepare: press('Log in') },
  { name: 'login-refused', path: '/', prepare: refuse },
  { name: 'login-sign-up', path: '/', prepare: press('Sign up') },
  { name: 'login-code', path: '/', prepare: askForCode },
  { name: 'login-german', path: '/?lang=de' },
  { name: 'login-arabic', path: '/?lang=ar' },
  { name: 'login-done', path: '/', isMember: true },
  { name: 'account', path: '/account', isMember: true },
  { name: 'account-app', path: '/account', isMember: true, prepare: press('Add an authenticator app') },
  { name: 'account-plans', path: '/account', isMember: true, prepare: press('Choose a plan') },
  { name: 'account-delete', path: '/account', isMember: true, prepare: press('Delete the account') },
  { name: 'account-german', path: '/account?lang=de', isMember: true },
  { name: 'account-stranger', path: '/account' },
  { name: 'form', path: '/form' },
  { name: 'form-fault', path: '/form', prepare: press('Send') },
  { name: 'form-arabic', path: '/form?lang=ar' },
  { name: 'feedback', path: '/feedback' },
  { name: 'feedback-new', path: '/feedback', prepare: press('Write something') },
  { name: 'feedback-spanish', path: '/feedback?lang=es', isMember: true },
  { name: 'comments', path: '/comments', isMember: true },
  { name: 'comments-reply', path: '/comments', isMember: true, prepare: reply },
  { name: 'comments-stranger', path: '/comments?lang=de' },
  { name: 'no-answer', path: '/feedback', prepare: breakDown },
]

async function refuse(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('not the password')
  await press('Log in')(page)
}

async function askForCode(page: Page): Promise<void> {
  await press('Send me a link by email')(page)
  await page
    .getByRole('textbox', { name: 'Email' })
    .fill('maximiliane.von-und-zu-hohenstein@verwaltungsgemeinschaft.example.com')
  await press('Send the mail')(page)
}

async function reply(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Reply to/ })
    .first()
    .click()
}

async function breakDown(page: Page): Promise<void> {
  await page.route('**/api/v1/**', (route) => route.abort())
  await page.reload()
}

const search = async (page: Page) => {
  await page.keyboard.press('/')
  await page.keyboard.type('refund', { delay: 30 })
}

/** One page of each kind. */
const PAGES: readonly Shot[] = [
  { name: 'docs', path: '/docs' },
  { name: 'docs-search', path: '/docs', prepare: search },
  { name: 'docs-guides', path: '/docs/guides' },
  { name: 'docs-guide', path: '/docs/guides/connect-stripe' },
  { name: 'docs-sdk', path: '/docs/sdk' },
  { name: 'docs-area', path: '/docs/api/members' },
  { name: 'docs-operation', path: '/docs/api/members/create-member' },
  { name: 'docs-try', path: '/docs/api/members/create-member', prepare: press('Try it') },
  { name: 'docs-event', path: '/docs/events/member.created' },
  { name: 'docs-errors', path: '/docs/errors' },
  { name: 'docs-error', path: '/docs/errors/EMAIL_TAKEN' },
  { name: 'docs-limits', path: '/docs/limits' },
  { name: 'docs-versions', path: '/docs/versions' },
  { name: 'docs-changelog', path: '/docs/changelog' },
  { name: 'docs-none', path: '/docs/nothing-here' },
]

/** A file of the running installation. */
const read = async (name: string) => JSON.parse(await readFile(join(dataDirFrom(process.env), name), 'utf8'))

interface Keys {
  readonly secretKey: string
  readonly publicKey: string
  readonly siteOrigin?: string
}

/** The keys of the demo project. */
async function demoKeys(): Promise<Keys> {
  const [keys] = Object.values((await read('demo-keys.json')) as Record<string, Keys>)
  if (keys === undefined) throw new Error('The demo project has no keys: start with `npm start`.')
  return keys
}

/** What the running installation has: its keys, and a member who is logged in. */
async function prepareMember() {
  const { BASE_URL: baseUrl } = await read('runtime.json')
  const keys = await demoKeys()
  if (keys.siteOrigin === undefined) throw new Error('Open the demo site once, then run this again.')
  const admin = createClient({ baseUrl, key: keys.secretKey })
  const email = `pictures-${Date.now()}@example.com`
  const password = 'correct horse battery'
  const { id } = await admin.members.create({
    email,
    password,
    full_name: 'Maximiliane von und zu Hohenstein-Wackerbarth',
  })
  const [thread] = (await admin.discussions.list({ limit: 1 })).data
  if (thread)
    for (const content of TEXTS)
      await admin.discussions.comments.create(thread.id, { content, author_id: id })
  const answer = await createClient({ baseUrl, key: keys.publicKey }).auth.login({ email, password })
  if (answer.mfa_required) throw new Error('A new member has no second factor.')
  const { access_token: access, refresh_token: refresh } = answer.session
  const session = JSON.stringify({ login: 'pictures', access, refresh, expires: Date.now() + 3_000_000 })
  return { origin: keys.siteOrigin, session }
}

const TEXTS = [
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'هل تبحر العبّارة يوم الجمعة؟ 🚢🌊',
  '**Yes!** 👩‍👩‍👧‍👦 See <https://example.com/a/very/long/address/that/does/not/fit/on/one/line/of/a/telephone>\n\n- one\n- two\n\n> quoted\n\n`code`',
]

/** Where pictures are taken, and what a browser keeps of a member who is logged in. */
interface Site {
  readonly origin: string
  readonly session?: string
}

async function take(
  browser: Browser,
  { origin, session }: Site,
  shots: readonly Shot[],
  width: number,
  theme: 'light' | 'dark',
): Promise<void> {
  for (const { name, path, isMember = false, prepare } of shots) {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    if (isMember)
      await page.addInitScript(`localStorage.setItem('guildhall.session', ${JSON.stringify(session)})`)
    await page.goto(origin + path)
    // The stream of comments is never idle, so the network says nothing.
    await page.waitForTimeout(1_000)
    await prepare?.(page)
    await page.waitForTimeout(700)
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`), fullPage: true })
    await context.close()
  }
}

const { positionals, values: asked } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' }, only: { type: 'string' } },
})
const [what, given = '.data/pictures'] = positionals
if (what !== 'elements' && what !== 'docs' && what !== 'console')
  throw new Error('Say what to take pictures of: npm run screenshots -- elements|docs|console [folder]')
if (!(asked.language in PICTURE_LANGUAGES))
  throw new Error(`--language is one of ${Object.keys(PICTURE_LANGUAGES).join(', ')}`)
const folder = resolve(given)
await mkdir(folder, { recursive: true })
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
const { BASE_URL: origin } = await read('runtime.json')
if (what === 'console') {
  await makePictureData(origin, (await demoKeys()).secretKey)
  await prepareConsole(browser, origin)
  const language = asked.language as PictureLanguage
  const unreached = await takePictures(browser, { origin, folder, language, only: asked.only?.split(',') })
  if (unreached.length > 0) {
    console.error(`No link leads to ${unreached.join(', ')}: they have no picture.`)
    process.exitCode = 1
  }
} else {
  const site: Site = what === 'elements' ? await prepareMember() : { origin }
  for (const width of [390, 1280])
    for (const theme of ['light', 'dark'] as const)
      await take(browser, site, what === 'elements' ? SHOTS : PAGES, width, theme)
}
await browser.close()
console.log(`The pictures are in ${folder}.`)
