import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { PASSWORD } from '#testkit/areas/console.ts'
import { axeFaults, complaintsOf } from '../elements/demo-rig.ts'

export interface OpenOptions {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly locale?: string
}

/** Each window comes from an address of its own, because one address may log in 20 times a minute: the API must trust this. */
export const TRUSTED = { TRUST_PROXY: '127.0.0.0/8' }
let opened = 0

/** Opens the console in a browser of its own, and hears what the page complains about. */
export async function openConsole(
  browser: Browser,
  origin: string,
  { width = 1280, scheme = 'light', locale = 'en-US' }: OpenOptions = {},
) {
  opened += 1
  const context = await browser.newContext({
    ...{ viewport: { width, height: 800 }, colorScheme: scheme, locale },
    extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${opened}` },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const complaints = complaintsOf(page)
  await page.goto(`${origin}/console`)
  return { page, complaints, close: () => context.close() }
}

/** The console in a browser of its own. */
export type Opened = Awaited<ReturnType<typeof openConsole>>

/** Logs an operator in, who then sees the home of the first project. */
export async function logInTo(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
}

/** The present screen has no fault that axe finds, and is not wider than the window. @param name said where it has */
export async function assertFits(page: Page, name: string): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.getByText('Loading …').waitFor({ state: 'detached' })
  expect([name, await axeFaults(page)]).toEqual([name, []])
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect([name, wider]).toEqual([name, 0])
}
