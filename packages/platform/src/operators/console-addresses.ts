import { translate } from '../db/pg-errors.ts'
import type { Deps } from '../deps.ts'
import { OPERATORS_PROJECT } from './operators-project.ts'

/** Where the console's own pages are. */
export const consoleUrl = (baseUrl: string): string => `${baseUrl}/console`

/**
 * Keeps the addresses of the built-in project as the configuration says: links in mails to operators lead to the console,
 * and their passkeys are for its domain. Written when the console is first asked for something.
 */
export class ConsoleAddresses {
  readonly #operators: Deps['operators']
  readonly #url: string
  readonly #origins: readonly string[]
  #written: Promise<unknown> | undefined

  constructor({ operators, config }: Pick<Deps, 'operators' | 'config'>, origins: readonly string[]) {
    this.#operators = operators
    this.#url = consoleUrl(config.BASE_URL)
    this.#origins = origins
  }

  /** @throws ApiError 503 if the database cannot be reached; the next call tries again */
  async ensure(): Promise<void> {
    this.#written ??= this.#write()
    try {
      await this.#written
    } catch (error) {
      this.#written = undefined
      throw translate(error, [])
    }
  }

  #write(): Promise<unknown> {
    return this.#operators.query(
      `update projects set allowed_redirect_urls = $2, allowed_origins = $3
       where id = $1 and (allowed_redirect_urls, allowed_origins) is distinct from ($2::text[], $3::text[])`,
      [OPERATORS_PROJECT, [this.#url], this.#origins],
    )
  }
}
