/** Pictures of every screen of the console on the demo data of a running `npm start`, to be looked at by people. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findPlace, openOperator } from '../../apps/cli/src/operator.ts'
import { ensureOperator } from '../../apps/cli/src/operators.ts'
import { addressOf, openScreen, type Screen, walkScreens } from './walk.ts'

const WIDTHS = [390, 1280] as const
const THEMES = ['light', 'dark'] as const
/** Milliseconds in which what comes after a screen, such as pictures and counts, is there. */
const PAUSE_MS = 400

/** Who the first visit of `npm start` logs in. */
const OPERATOR = 'operator@example.com'

/** @returns a token that logs the first operator in once. Two windows cannot share the cookie of a session. */
async function logInToken(): Promise<string> {
  const operator = openOperator(await findPlace())
  try {
    return (await ensureOperator(operator, { email: OPERATOR }, true)).login_token
  } finally {
    await operator.close()
  }
}

async function openLoggedIn(browser: Browser, origin: string, options: object): Promise<Page> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${origin}/console/start?token=${await logInToken()}`)
  // Reading the page uses nothing up; its button logs in, and leads to the first project, on its test side.
  await page.getByRole('button').click()
  await page.waitForURL(/\/console\/proj_[^/]+\/(?:test|live)/)
  return page
}

const nameOf = ({ pattern }: Screen): string => pattern.replaceAll(/[/$]+/g, '-') || 'home'

/** @returns the screens to which no link leads, so that they have no picture */
export async function takePictures(browser: Browser, origin: string, folder: string): Promise<string[]> {
  let screens: Screen[] | undefined
  let unreached: string[] = []
  for (const width of WIDTHS)
    for (const theme of THEMES) {
      const page = await openLoggedIn(browser, origin, {
        ...{ viewport: { width, height: 800 }, colorScheme: theme },
      })
      const [, side = ''] = /(\/console\/proj_[^/]+\/(?:test|live))/.exec(page.url()) ?? []
      const take = async (screen: Screen) => {
        await page.waitForTimeout(PAUSE_MS)
        await page.screenshot({
          path: join(folder, `${nameOf(screen)}-${theme}-${width}.png`),
          fullPage: true,
        })
      }
      if (screens === undefined) {
        const found: Screen[] = []
        unreached = await walkScreens(page, side, async (screen) => {
          found.push(screen)
          await take(screen)
        })
        screens = found
      } else
        for (const screen of screens) {
          await openScreen(page, addressOf(side, screen))
          await take(screen)
        }
      await page.context().close()
    }
  return unreached
}
