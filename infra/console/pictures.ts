/** Pictures of every screen of the console on the demo data of a running `npm start`, to be looked at by people. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findPlace, openOperator } from '../../apps/cli/src/operator.ts'
import { ensureOperator } from '../../apps/cli/src/operators.ts'
import { exportProject } from './picture-data.ts'
import { addressOf, openScreen, type Screen, screensOfNoProject, walkScreens } from './walk.ts'

const WIDTHS = [390, 1280] as const
const THEMES = ['light', 'dark'] as const
/** Languages as the console stores them, by their names here. */
export const PICTURE_LANGUAGES = { en: 'en', de: 'de', rtl: 'pseudo' } as const
export type PictureLanguage = keyof typeof PICTURE_LANGUAGES
/** Milliseconds in which what comes after a screen, such as pictures and counts, is there. */
const PAUSE_MS = 400

/** Who the first visit of `npm start` logs in. */
const OPERATOR = 'operator@example.com'

interface Options {
  readonly origin: string
  readonly folder: string
  readonly language: PictureLanguage
  /** These screens alone, as the router names them. Default: all */
  readonly only?: readonly string[] | undefined
}

/** @returns a token that logs the first operator in once. Two windows cannot share the cookie of a session. */
async function logInToken(): Promise<string> {
  const operator = openOperator(await findPlace())
  try {
    return (await ensureOperator(operator, { email: OPERATOR }, true)).login_token
  } finally {
    await operator.close()
  }
}

async function logIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/console/start?token=${await logInToken()}`)
  // Reading the page uses nothing up; its button logs in, and leads to the first project, on its test side.
  await page.getByRole('button').click()
  await page.waitForURL(/\/console\/proj_[^/]+\/(?:test|live)/)
}

/** @returns the side of the project whose screen is shown, such as `/console/proj_…/test` */
const sideOf = (page: Page): string => /(\/console\/proj_[^/]+\/(?:test|live))/.exec(page.url())?.[1] ?? ''

const nameOf = ({ pattern }: Screen): string => pattern.replaceAll(/[/$]+/g, '-') || 'home'

/** A screen and those above it, which lead to it. */
const withParents = (pattern: string): string[] =>
  pattern.split('/').map((_, i, steps) => steps.slice(0, i + 1).join('/'))

/** Makes what only the console can make. */
export async function prepareConsole(browser: Browser, origin: string): Promise<void> {
  const page = await browser.newPage()
  await logIn(page, origin)
  await exportProject(page, sideOf(page))
  await page.close()
}

/** @returns the screens to which no link leads, so that they have no picture */
export async function takePictures(browser: Browser, options: Options): Promise<string[]> {
  const { origin, folder, language, only } = options
  let screens: Screen[] | undefined
  let unreached: string[] = []
  for (const width of WIDTHS)
    for (const theme of THEMES) {
      const context = await browser.newContext({
        ...{ viewport: { width, height: 800 }, colorScheme: theme, reducedMotion: 'reduce' },
      })
      await context.addInitScript(
        `localStorage.setItem('console-language', '${PICTURE_LANGUAGES[language]}')`,
      )
      const page = await context.newPage()
      const look = `${theme}-${width}${language === 'en' ? '' : `-${language}`}`
      const take = async (name: string) => {
        await page.waitForTimeout(PAUSE_MS)
        await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true })
      }
      if (only === undefined) {
        await page.goto(`${origin}/console`)
        await take('log-in')
      }
      await logIn(page, origin)
      const side = sideOf(page)
      if (screens === undefined) {
        const found: Screen[] = []
        const keep = async (screen: Screen) => {
          if (only !== undefined && !only.includes(screen.pattern)) return
          found.push(screen)
          await take(nameOf(screen))
        }
        unreached = await walkScreens(page, side, keep, only?.flatMap(withParents))
        screens = found
      } else
        for (const screen of screens) {
          await openScreen(page, addressOf(side, screen))
          await take(nameOf(screen))
        }
      if (only === undefined)
        for (const path of await screensOfNoProject(page)) {
          await openScreen(page, path)
          await take(path.replace('/console/', 'own-'))
        }
      await context.close()
    }
  return unreached
}
