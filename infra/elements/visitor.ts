import type { Browser, Page } from 'playwright-core'
import { complaintsOf, type DemoRig, PASSWORD } from './demo-rig.ts'

export interface Visitor {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** The id of a member who is logged in. */
  readonly member?: string
}

/** A page of the demo site in a browser of its own. */
export interface Visited {
  readonly page: Page
  readonly complaints: string[]
  /** The addresses that were answered. */
  readonly answered: string[]
  close(): Promise<void>
}

export type Visit = (path?: string, visitor?: Visitor) => Promise<Visited>

export async function visitSite(
  browser: Browser,
  rig: DemoRig,
  path = '/',
  { width = 1280, colorScheme = 'light', member }: Visitor = {},
): Promise<Visited> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  const page = await context.newPage()
  const complaints = complaintsOf(page)
  const answered: string[] = []
  page.on('response', (response) => answered.push(response.url()))
  if (member !== undefined) {
    const session = JSON.stringify(await rig.session(member))
    await page.addInitScript(`localStorage.setItem('guildhall.session', ${session})`)
  }
  await page.goto(rig.origin + path)
  return { page, complaints, answered, close: () => context.close() }
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true, level: 2 }).waitFor()

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Log in')
}
