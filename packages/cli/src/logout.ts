import { forget, readKept } from './credentials.ts'
import { endTokens } from './device.ts'
import { sentenceOf } from './failure.ts'
import { type Given, print } from './options.ts'

/** Forgets the log-in at once, and then ends it at the API. */
export async function logout(given: Given): Promise<void> {
  const kept = await readKept().catch(() => undefined)
  await forget()
  if (kept?.kind === 'device') {
    try {
      await endTokens(kept.url, kept.refreshToken)
    } catch (error) {
      process.stderr.write(
        `The log-in is forgotten here, but ${kept.url} could not be told: end it in the console under Sessions. ${sentenceOf(error)}\n`,
      )
      process.exitCode = 1
      return
    }
  }
  const text = kept === undefined ? 'You were not logged in' : `Logged out of ${kept.url}`
  print(given, { logged_out: kept !== undefined, url: kept?.url ?? null }, text)
}
