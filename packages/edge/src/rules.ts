import type { PageUrl } from '../../areas/src/member-content/matching/page-url.ts'
import { type Pattern, readPattern } from '../../areas/src/member-content/matching/pattern.ts'
import { RuleMatcher } from '../../areas/src/member-content/matching/rule-matcher.ts'
import type { Signatures } from './signatures.ts'

/** The document has another type than anything else that the installation signs. */
const TYPE = 'content-manifest+jws'

/** A rule as an edge knows it. */
export interface Rule {
  readonly id: string
  readonly pattern: Pattern
}

/** The active rules of a project, as the manifest had them. */
export interface Rules {
  /** Of the installation and of the project: grants have the same. */
  readonly issuer: string
  readonly audience: string
  /** The rule that decides; undefined where none guards the page. */
  match(page: PageUrl): Promise<Rule | undefined>
}

/** An edge has the rules of one project only, so nobody else waits. */
const NO_SLICES = { isOver: false, next: async () => undefined }

/** Reads the manifest again when it has become old, and keeps the one before while it cannot. */
export class RuleSource {
  readonly #fetchManifest: (etag: string | undefined) => Promise<Response>
  readonly #signatures: Signatures
  readonly #refreshMs: number
  readonly #onError: (error: unknown) => void
  #rules: Rules | undefined
  #etag: string | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(
    fetchManifest: (etag: string | undefined) => Promise<Response>,
    signatures: Signatures,
    { refreshMs, onError }: { refreshMs: number; onError: (error: unknown) => void },
  ) {
    this.#fetchManifest = fetchManifest
    this.#signatures = signatures
    this.#refreshMs = refreshMs
    this.#onError = onError
  }

  /**
   * The rules. One request at a time reads them again, and others use those from before meanwhile: at an edge a request must
   * not wait for what another one has begun, which may be cut off.
   * @throws Error where there are no rules yet, and they cannot be read
   */
  async current(): Promise<Rules> {
    const before = this.#rules
    if (before === undefined) return this.#ask()
    if (Date.now() - this.#askedAt < this.#refreshMs) return before
    this.#askedAt = Date.now()
    // Where they cannot be read, those from before go on to count.
    return this.#ask().catch((error: unknown) => {
      this.#onError(error)
      return before
    })
  }

  async #ask(): Promise<Rules> {
    const answer = await this.#fetchManifest(this.#etag)
    const rules = answer.status === 304 && this.#rules ? this.#rules : await this.#take(answer)
    this.#askedAt = Date.now()
    return rules
  }

  async #take(answer: Response): Promise<Rules> {
    if (!answer.ok) throw new Error(`the rules of the project cannot be read: ${answer.status}`)
    const { data } = (await answer.json()) as { data: { manifest: string; etag: string } }
    const payload = await this.#signatures.verify(data.manifest, TYPE)
    if (payload === undefined) throw new Error('the rules of the project are not signed by the installation')
    const { iss, aud, rules } = payload as {
      iss: string
      aud: string
      rules: readonly { id: string; url_pattern: string }[]
    }
    const readable = rules.flatMap(({ id, url_pattern }) => {
      const pattern = readPattern(url_pattern)
      return typeof pattern === 'string' ? [] : [{ id, pattern }]
    })
    const matcher = await RuleMatcher.of<Rule>(readable, NO_SLICES)
    const read: Rules = { issuer: iss, audience: aud, match: (page) => matcher.match(page, NO_SLICES) }
    this.#rules = read
    this.#etag = data.etag
    return read
  }
}
