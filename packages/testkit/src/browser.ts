import { type Browser, chromium } from 'playwright-core'
import { describe, inject } from 'vitest'

/** A suite that needs a browser. On a machine without a Chromium it is reported as not run, by its name. */
export function describeWithBrowser(name: string, suite: () => void): void {
  describe.runIf(inject('servers').browser !== '')(name, suite)
}

/**
 * Starts the machine's Chromium, headless. It talks to pages only, not to its maker.
 * @throws Error where the machine has none: use it inside `describeWithBrowser`
 */
export function startBrowser(): Promise<Browser> {
  const executablePath = inject('servers').browser
  if (!executablePath) throw new Error('Chromium is not installed on this machine')
  return chromium.launch({
    executablePath,
    args: [
      // Its sandbox needs an account that is not root; what it opens here are our own pages.
      '--no-sandbox',
      ...['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  })
}
