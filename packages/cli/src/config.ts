import { homedir } from 'node:os'
import { join } from 'node:path'
import { Failure } from './failure.ts'
import type { Given } from './options.ts'

// The one file that reads the environment. What is given in the command goes before it.

/** Where the API is, or undefined where nobody says it. */
export const urlOf = (given: Given): string | undefined => given.url ?? process.env['GUILDHALL_URL']

/** The key to connect with, or undefined where nobody gives one. */
export const apiKeyOf = (given: Given): string | undefined =>
  given['api-key'] ?? process.env['GUILDHALL_API_KEY']

/** The secret that events are signed with, or undefined where nobody gives one. */
export const webhookSecretOf = (given: Given): string | undefined =>
  given.secret ?? process.env['GUILDHALL_WEBHOOK_SECRET']

/** The user's folder of settings, as the system has it. */
export function settingsFolder(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env
  const isWindows = process.platform === 'win32'
  return isWindows && APPDATA ? APPDATA : XDG_CONFIG_HOME || join(homedir(), '.config')
}

/** @returns the address that was found @throws Failure where there is none */
export function assertUrl(url: string | undefined): string {
  if (url === undefined) throw new Failure('Say where the API is: --url https://api.example.com', 2)
  return url
}
