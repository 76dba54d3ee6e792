/** What it costs to verify an access token, with nothing around it. */

import { makeDeps } from '#platform/deps.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeLog } from '#platform/telemetry/log.ts'

/** Verifications under way at a time, as in a server with many clients. */
const AT_A_TIME = 32

/** Tokens verified per second of one core: each for the first time, and again. */
export async function verificationsPerCore(
  { databaseUrl, secretKey, origin }: { databaseUrl: string; secretKey: string; origin: string },
  tokens: readonly string[],
): Promise<{ first: number; again: number }> {
  const config = parseConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, BASE_URL: origin })
  const deps = await makeDeps(config, makeLog('silent', 'bench'))
  try {
    const run = async () => {
      let next = 0
      const cpu = process.cpuUsage()
      await Promise.all(
        Array.from({ length: AT_A_TIME }, async () => {
          for (let token = tokens[next++]; token !== undefined; token = tokens[next++]) {
            if (!(await deps.accessTokens.verify(token))) throw new Error('a token of ours was refused')
          }
        }),
      )
      const { user, system } = process.cpuUsage(cpu)
      return tokens.length / ((user + system) / 1e6)
    }
    const first = await run()
    return { first, again: await run() }
  } finally {
    await deps.close()
  }
}
