import { LRUCache } from 'lru-cache'
import type { ProjectBox } from '#platform/secrets/project-box.ts'
import type { SealedEndpoint } from '../delivery/claim.ts'
import { makeSigner, type Signer } from '../endpoints/signing.ts'

/** What was decoded of one endpoint's secrets and headers. */
interface Opened {
  readonly signers: readonly Signer[]
  readonly headers: Readonly<Record<string, string>>
}

/** Endpoints kept at the most; those that were used longest ago go first. */
const CAPACITY = 10_000

/** Opens what is sealed of endpoints, and keeps it until it changes: decoding keys costs more than signing. */
export class OpenedEndpoints {
  readonly #box: ProjectBox
  readonly #kept = new LRUCache<string, Opened>({ max: CAPACITY })

  constructor(box: ProjectBox) {
    this.#box = box
  }

  /** @throws Error where it was sealed with another SECRET_KEY */
  open({ id, secret, previousSecret, headers }: SealedEndpoint): Opened {
    const key = [secret, previousSecret, headers].map((part) => part?.toString('base64') ?? '').join(' ')
    const kept = this.#kept.get(key)
    if (kept) return kept
    const text = (sealed: Buffer) => this.#box.open(sealed, id)
    const opened = {
      signers: [secret, previousSecret]
        .filter((sealed) => sealed !== null)
        .map((sealed) => makeSigner(text(sealed))),
      headers: headers === null ? {} : (JSON.parse(text(headers)) as Record<string, string>),
    }
    this.#kept.set(key, opened)
    return opened
  }
}
