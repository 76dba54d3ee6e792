/** What it costs to verify an access token, with nothing around it. */
import { withTokens } from './people.ts'

/** Verifications under way at a time, as in a server with many clients. */
const AT_A_TIME = 32

/** Tokens verified per second of one core: each for the first time, and again. */
export const verificationsPerCore = (
  at: Parameters<typeof withTokens>[0],
  tokens: readonly string[],
): Promise<{ first: number; again: number }> =>
  withTokens(at, async (accessTokens) => {
    const run = async () => {
      let next = 0
      const cpu = process.cpuUsage()
      await Promise.all(
        Array.from({ length: AT_A_TIME }, async () => {
          for (let token = tokens[next++]; token !== undefined; token = tokens[next++]) {
            if (!(await accessTokens.verify(token))) throw new Error('a token of ours was refused')
          }
        }),
      )
      const { user, system } = process.cpuUsage(cpu)
      return tokens.length / ((user + system) / 1e6)
    }
    const first = await run()
    return { first, again: await run() }
  })
