import type { Page } from 'playwright-core'
import { axeFaults } from '../elements/demo-rig.ts'

// Goes through the screens of the console, by the router's own list. What a screen is about is found by the links of others.

const SIDE = '/$project/$side'
/** Milliseconds in which a screen has to be there. */
const TIME_MS = 15_000
/** How many more things are opened to find a link that the first one of their kind has not. */
const MORE = 30

/** A screen, and an address that opens it: both below the side of a project. */
export interface Screen {
  /** As the router names it, such as `members/$id`. */
  readonly pattern: string
  readonly path: string
}

/** The screens of a side of a project, as the router lists them. */
const patternsOf = async (page: Page): Promise<string[]> =>
  ((await page.evaluate('Object.keys(window.__TSR_ROUTER__.routesByPath)')) as readonly string[])
    .filter((path) => path === SIDE || path.startsWith(`${SIDE}/`))
    .map((path) => path.slice(SIDE.length + 1))

/** The addresses of the screens that belong to no project, as the router lists them. */
export const screensOfNoProject = async (page: Page): Promise<string[]> =>
  ((await page.evaluate('Object.keys(window.__TSR_ROUTER__.routesByPath)')) as readonly string[])
    .filter((path) => path !== '/' && !path.startsWith(SIDE))
    .map((path) => `/console${path}`)

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const matcherOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((step) => (step.startsWith('$') ? '[^/]+' : escaped(step)))
      .join('/')}$`,
  )

/**
 * Goes through all screens. A screen of one thing is opened by a link that another screen has to it.
 * @param side the address of a side of a project, such as `/console/proj_…/test`
 * @param look is called with each screen once it is there
 * @param only these screens of the router's list. Default: all
 * @returns the screens to which no link leads
 */
export async function walkScreens(
  page: Page,
  side: string,
  look: (screen: Screen) => Promise<void>,
  only?: readonly string[],
): Promise<string[]> {
  const patterns = (await patternsOf(page)).filter((pattern) => only?.includes(pattern) ?? true)
  const fixed = patterns.filter((pattern) => !pattern.includes('$'))
  const left = new Map(
    patterns.filter((pattern) => pattern.includes('$')).map((each) => [each, matcherOf(each)]),
  )
  const queue = fixed.map((path) => ({ pattern: path, path }))
  const others = new Set<string>()
  const follow = async () => {
    for (const link of await linksOf(page, side)) {
      if (fixed.includes(link)) continue
      const found = [...left].find(([, matcher]) => matcher.test(link))?.[0]
      if (found === undefined) others.add(link)
      else {
        left.delete(found)
        queue.push({ pattern: found, path: link })
      }
    }
  }
  const lookAtAll = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      others.delete(next.path)
      await openScreen(page, addressOf(side, next))
      await look(next)
      await follow()
    }
  }
  await lookAtAll()
  const tried = new Set<string>()
  while (left.size > 0 && tried.size < MORE) {
    const path = [...others].find((each) => !tried.has(each) && mayLeadTo([...left.keys()], each))
    if (path === undefined) break
    tried.add(path)
    await openScreen(page, addressOf(side, { path }))
    await follow()
    await lookAtAll()
  }
  return [...left.keys()]
}

/** Whether something below an address is still looked for. */
const mayLeadTo = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => {
    const steps = pattern.split('/')
    const depth = path.split('/').length
    return depth < steps.length && matcherOf(steps.slice(0, depth).join('/')).test(path)
  })

/** What a screen says in place of its content. */
const ALERTS = `[...document.querySelectorAll('main [role=alert]')].map(({ textContent }) => textContent)`

export const widerThanWindow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** What is wrong with the present screen: its width, what axe finds, what it says in place of its content, and complaints. */
export async function faultsOfScreen(page: Page, complaints: string[], pattern: string): Promise<string[]> {
  const wider = await widerThanWindow(page)
  const faults = [
    ...(wider === 0 ? [] : [`${wider} px wider than the window`]),
    ...(await axeFaults(page)),
    ...((await page.evaluate(ALERTS)) as string[]),
    ...complaints.splice(0),
  ]
  return faults.map((fault) => `${pattern}: ${fault}`)
}

/** The address of a screen. @param side as of `walkScreens` */
export const addressOf = (side: string, { path }: Pick<Screen, 'path'>): string =>
  path === '' ? side : `${side}/${path}`

/**
 * Opens a screen without loading the application anew, and waits until it is there.
 * @param path of the address
 * @throws Error where it does not come
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.evaluate(`window.__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)
  const end = Date.now() + TIME_MS
  // The policy of the console allows no function that waits within the page.
  while (!(await page.evaluate(isThere(path)))) {
    if (Date.now() > end) throw new Error(`The screen ${path} did not come in time`)
    await page.waitForTimeout(30)
  }
}

const isThere = (path: string): string => `(() => {
  const main = document.querySelector('main')
  if (location.pathname.replace(/\\/$/, '') !== ${JSON.stringify(path)} || !main?.querySelector('h1')) return false
  return !/(?:Loading|Löâdîñg|Wird geladen) …/.test(main.innerText)
})()`

/** The screens of the same side to which the present one leads. */
const linksOf = async (page: Page, side: string): Promise<string[]> =>
  (await page.evaluate(`[...document.querySelectorAll('main a[href]')].flatMap(({ href }) => {
    const { pathname, origin } = new URL(href)
    const start = ${JSON.stringify(`${side}/`)}
    return origin === location.origin && pathname.startsWith(start) ? [pathname.slice(start.length)] : []
  })`)) as string[]
