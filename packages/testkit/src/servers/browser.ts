import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { describe, inject } from 'vitest'

/** A suite that needs a browser. On a machine without a Chromium it is reported as not run, by its name. */
export function describeWithBrowser(name: string, suite: () => void): void {
  describe.runIf(inject('servers').browser !== '')(name, suite)
}

interface BrowserOptions {
  /** Keeps pages that are left for a return to them. */
  readonly backForwardCache?: boolean
  /** The user agent of all requests, those behind a page that is left included. */
  readonly userAgent?: string
}

/**
 * Starts the machine's Chromium, headless. It talks to pages only, not to its maker.
 * @throws Error where the machine has none: use it inside `describeWithBrowser`
 */
export function startBrowser({ backForwardCache = false, userAgent }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = inject('servers').browser
  if (!executablePath) throw new Error('Chromium is not installed on this machine')
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs: backForwardCache ? ['--disable-back-forward-cache'] : [],
    args: [
      // Its sandbox needs an account that is not root; what it opens here are our own pages.
      '--no-sandbox',
      ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
      ...['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  })
}

/** An authenticator without a finger to press it: whoever is asked is there. */
export interface Authenticator {
  readonly id: string
  /** Speaks the WebAuthn domain of Chromium's DevTools protocol. */
  readonly devtools: CDPSession
}

/** Gives a page an authenticator that keeps passkeys. @param options whether it checks who holds it */
export async function addAuthenticator(page: Page, { verifiesUser = true } = {}): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: id } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifiesUser,
      isUserVerified: verifiesUser,
      automaticPresenceSimulation: true,
    },
  })
  return { id, devtools }
}
