/** What the demo data has not, and screens show: made once, so that these screens have pictures. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { createClient, type Guildhall, GuildhallError } from '../../packages/sdk/src/guildhall.ts'
import { openScreen } from './walk.ts'

/** Milliseconds in which a worker makes the archive of the demo project. */
const EXPORT_MS = 60_000

/**
 * Makes a payment account, a provider to log in by, and requests of a key: one that works and one that is refused.
 * @param key a secret key of the test side
 */
export async function makePictureData(baseUrl: string, key: string): Promise<void> {
  const client = createClient({ baseUrl, key })
  if ((await client.paymentAccounts.list()).data.length === 0)
    await client.paymentAccounts.create({ provider: 'manual', name: 'Banküberweisung' })
  if ((await client.ssoConnections.list()).data.length === 0) await connectProvider(client)
  await client.members.list({ limit: 1 })
  try {
    await client.members.create({ email: 'no address' })
  } catch (error) {
    if (!(error instanceof GuildhallError)) throw error
  }
}

/** A provider's document is read when it is connected: a server here says it. */
async function connectProvider(client: Guildhall): Promise<void> {
  const server = createServer((_, response) => {
    const documents = { authorization_endpoint: '/auth', token_endpoint: '/token', jwks_uri: '/jwks' }
    const addresses = Object.entries(documents).map(([name, path]) => [name, `${issuer}${path}`])
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer, ...Object.fromEntries(addresses) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await client.ssoConnections.create({
      ...{ type: 'oidc', name: 'Verwaltungsgemeinschaft Acme', issuer, client_id: 'guildhall' },
      domains: ['acme.example', 'verwaltungsgemeinschaft.example'],
    })
  } finally {
    server.close()
  }
}

/** The danger zone lists an archive of the whole project. @param side as of `walkScreens` */
export async function exportProject(page: Page, side: string): Promise<void> {
  await openScreen(page, `${side}/settings/danger`)
  const archive = page.getByRole('link', { name: 'Download' }).first()
  // The list comes after the screen.
  await page.waitForTimeout(1_000)
  if (await archive.isVisible()) return
  await page.getByRole('button', { name: 'Export the project' }).click()
  await page.getByLabel('Passphrase').fill('a passphrase of the pictures')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await archive.waitFor({ timeout: EXPORT_MS })
}
