import { LRUCache } from 'lru-cache'

/** Keys that are remembered at the most; those that were used longest ago go first. */
const KEYS = 10_000
/** A key with more addresses than these is used from everywhere, and a new one says nothing. */
const ADDRESSES = 50

/** From which addresses this process has seen keys. After a start the first address of a key is none that is new. */
export class KeyAddresses {
  readonly #seen = new LRUCache<string, Set<string>>({ max: KEYS })

  /** Whether a key was used before, and never from this address. The address is remembered. */
  isNew(keyId: string, address: string): boolean {
    const seen = this.#seen.get(keyId)
    if (seen === undefined) {
      this.#seen.set(keyId, new Set([address]))
      return false
    }
    if (seen.has(address) || seen.size >= ADDRESSES) return false
    seen.add(address)
    return true
  }
}
