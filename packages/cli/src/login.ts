import { spawn } from 'node:child_process'
import { hostname, platform, userInfo } from 'node:os'
import { createClient } from '../../sdk/src/guildhall.ts'
import { apiKeyOf, assertUrl, urlOf } from './config.ts'
import { originOf, secretKeyOf } from './connect.ts'
import { keep, readKept } from './credentials.ts'
import { askForCode, awaitApproval } from './device.ts'
import { Failure } from './failure.ts'
import { type Given, plain, print } from './options.ts'

/** Logs in by a browser, or with `--api-key` by a key, which opens no browser. */
export async function login(given: Given): Promise<void> {
  const kept = await readKept().catch(() => undefined)
  const url = originOf(assertUrl(urlOf(given) ?? kept?.url))
  const key = apiKeyOf(given)
  await (key === undefined ? loginByBrowser(given, url) : loginByKey(given, url, secretKeyOf(key)))
}

async function loginByKey(given: Given, url: string, key: string): Promise<void> {
  const self = await createClient({ baseUrl: url, key }).apiKeys.self.get()
  const file = await keep({ kind: 'key', url, key })
  print(
    given,
    { url, key: self.id, environment: self.environment, file },
    `The key ${self.id} (${self.environment}) is kept in ${file}`,
  )
}

async function loginByBrowser(given: Given, url: string): Promise<void> {
  const code = await askForCode(url, `${userInfo().username} on ${hostname()}`)
  const { verification_uri, verification_uri_complete, user_code, expires_in } = code
  print(
    given,
    { verification_uri, verification_uri_complete, user_code, expires_in },
    `Open ${verification_uri} and type the code\n\n    ${user_code}\n\nIt works for ${Math.round(expires_in / 60)} minutes. Only go on if the page shows this code.`,
  )
  if (!given['no-browser'] && process.stdout.isTTY) openBrowser(verification_uri_complete)
  const tokens = await awaitApproval(url, code)
  const { refresh_token, email, project, environment, role } = tokens
  if (refresh_token === undefined) throw new Failure('The API answered no refresh token')
  const file = await keep({ kind: 'device', url, refreshToken: refresh_token })
  print(
    given,
    { url, email, project, environment, role, file },
    `Logged in as ${plain(email)}, ${role} of ${plain(project.name)} (${environment}). The log-in is kept in ${file}`,
  )
}

/** Opens the page, where there is a browser; the address was printed. */
function openBrowser(address: string): void {
  if (!/^https?:/.test(address)) return
  const [program, ...args] =
    platform() === 'darwin'
      ? ['open']
      : platform() === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(String(program), [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
