import type { Config } from '#platform/config.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { type Asked, makeQuestion, type Question, readAnswer } from './messages.ts'
import type { HookInUse } from './queries.ts'

/** Milliseconds for the whole exchange: name, connection, headers and body. */
const DEADLINE_MS = 5_000
/** Bytes of an answer that are read. */
const ANSWER_BYTES = 64 * 1024

/** Opens and seals the secrets of hooks, each for the id of its rule. */
export const hookBox = (keys: SecretKeys): ProjectBox => makeProjectBox(keys, 'moderation hooks')

/** Asks an outside service about a post. Whatever it does, the result is here within about five seconds. */
export async function askHook(config: Config, hook: HookInUse, question: Question): Promise<Asked> {
  const secrets = secretsOf(config, hook)
  if (secrets === undefined) return { failure: 'the secret cannot be read: set it again' }
  const outbound = new SafeFetch(config, { deadlineMs: DEADLINE_MS })
  try {
    const result = await outbound.fetch({
      ...{ url: hook.url ?? '', method: 'POST', keepBytes: ANSWER_BYTES, readBytes: ANSWER_BYTES },
      ...makeQuestion(question, secrets, Date.now()),
    })
    return readAnswer(result, question, secrets, Date.now())
  } finally {
    await outbound.close()
  }
}

/** The secrets of a hook, the present one first; undefined where another SECRET_KEY has sealed them. */
function secretsOf(config: Config, { id, secret, previous_secret }: HookInUse): string[] | undefined {
  const box = hookBox(config)
  try {
    return [secret, previous_secret].flatMap((sealed) => (sealed === null ? [] : [box.open(sealed, id)]))
  } catch {
    return undefined
  }
}
