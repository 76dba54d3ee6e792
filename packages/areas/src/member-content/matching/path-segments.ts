const SLASH = 47
const FACTOR = 0x01000193

/**
 * The segments of a path, as places in its text: segments are looked up by numeric hashes, and only compared ones are
 * copied. One object reads path after path.
 */
export class PathSegments {
  /** How many there are. */
  count = 0
  /** The hash of the whole path. */
  hash = 0
  #text = ''
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #hashes: number[] = []

  /** Reads a path that begins with a slash. */
  read(path: string): this {
    this.#text = path
    let count = 0
    const seed = seedOf()
    let whole = seed
    for (let start = 1; start < path.length; count++) {
      let hash = seed
      let at = start
      for (; at < path.length; at++) {
        const code = path.charCodeAt(at)
        if (code === SLASH) break
        hash = Math.imul(hash ^ code, FACTOR)
      }
      this.#starts[count] = start
      this.#ends[count] = at
      this.#hashes[count] = hash
      whole = Math.imul(whole ^ hash, FACTOR)
      start = at + 1
    }
    this.count = count
    this.hash = whole
    return this
  }

  /** One segment, copied. */
  at(place: number): string {
    return this.#text.slice(this.#starts[place], this.#ends[place])
  }

  /** Whether a segment is this text, which has this hash. */
  is(place: number, text: string, hash: number): boolean {
    if (this.#hashes[place] !== hash) return false
    const start = this.#starts[place] as number
    return (this.#ends[place] as number) - start === text.length && this.#text.startsWith(text, start)
  }

  /** What a map has for the whole path. */
  wholeIn<V>(map: LiteralMap<V>): V | undefined {
    return map.find(this.#text, 0, this.#text.length, this.hash)
  }

  /** What a map has for a segment; undefined also where there is no such segment. */
  in<V>(map: LiteralMap<V>, place: number): V | undefined {
    if (place < 0 || place >= this.count) return undefined
    return map.find(
      this.#text,
      this.#starts[place] as number,
      this.#ends[place] as number,
      this.#hashes[place] as number,
    )
  }

  /** What a map has for the first characters of a segment. */
  startIn<V>(map: LiteralMap<V>, place: number, length: number): V | undefined {
    if (place >= this.count) return undefined
    const start = this.#starts[place] as number
    const end = start + length
    if (end > (this.#ends[place] as number)) return undefined
    return map.find(this.#text, start, end, hashOf(this.#text, start, end))
  }
}

/** Values by texts that are parts of longer texts, found without a copy of the part. */
export class LiteralMap<V> {
  readonly #byHash = new Map<number, { readonly text: string; readonly value: V }>()
  /** Texts whose hash another one has: hardly any, unless somebody searched for such. */
  readonly #others = new Map<string, V>()

  /** The value of a text, made where there is none. @param hash what `PathSegments` finds it by */
  getOrMake(text: string, hash: number, make: () => V): V {
    const found = this.find(text, 0, text.length, hash)
    if (found !== undefined) return found
    const value = make()
    if (this.#byHash.has(hash)) this.#others.set(text, value)
    else this.#byHash.set(hash, { text, value })
    return value
  }

  /** The value of the text from `start` to `end`. */
  find(text: string, start: number, end: number, hash: number): V | undefined {
    if (this.#byHash.size === 0) return undefined
    const found = this.#byHash.get(hash)
    if (found === undefined) return undefined
    if (found.text.length === end - start && text.startsWith(found.text, start)) return found.value
    return this.#others.size === 0 ? undefined : this.#others.get(text.slice(start, end))
  }
}

/** Another one in each process, so that nobody can make texts whose hashes are alike. Edges have no random numbers before their first request. */
let drawn: number | undefined
function seedOf(): number {
  drawn ??= crypto.getRandomValues(new Int32Array(1))[0] ?? 0
  return drawn
}

/** The hash of a segment, or of a part of it. */
export function hashOf(text: string, start = 0, end = text.length): number {
  let hash = seedOf()
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FACTOR)
  return hash
}
