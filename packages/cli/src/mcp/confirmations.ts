import { randomBytes } from 'node:crypto'

/** Asks the user. Undefined where the assistant's program cannot. @returns whether the user agrees */
type Ask = (message: string, signal: AbortSignal) => Promise<boolean> | undefined

/** For how long a code confirms a call. */
const CODE_MS = 5 * 60_000
const MOST_CODES = 100

/** What came of asking for a confirmation: it is given, refused, or asked for by a code. */
export type Confirmed = 'yes' | 'no' | { readonly code: string }

/** Lets calls that change something through after a confirmation: each is for one call, as it was shown. */
export class Confirmations {
  readonly #ask: Ask
  readonly #codes = new Map<string, { readonly call: string; readonly until: number }>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /**
   * @param call all that is called and sent, as one text
   * @param code what a call before has answered, if the user has agreed since
   */
  async of(call: string, code: string | undefined, signal: AbortSignal): Promise<Confirmed> {
    const asked = this.#ask(`Call this? It changes data of the project.\n\n${call}`, signal)
    if (asked !== undefined) return (await asked) ? 'yes' : 'no'
    if (code !== undefined && this.#take(code) === call) return 'yes'
    return { code: this.#make(call) }
  }

  #make(call: string): string {
    const code = randomBytes(9).toString('base64url')
    this.#codes.set(code, { call, until: Date.now() + CODE_MS })
    const [oldest] = this.#codes.keys()
    if (this.#codes.size > MOST_CODES && oldest !== undefined) this.#codes.delete(oldest)
    return code
  }

  /** The call that a code is for; each works once. */
  #take(code: string): string | undefined {
    const found = this.#codes.get(code)
    this.#codes.delete(code)
    return found !== undefined && found.until > Date.now() ? found.call : undefined
  }
}
