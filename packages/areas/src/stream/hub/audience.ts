import { patternsOf } from '#areas/events/service.ts'
import type { OpenTopics } from '#platform/catalogue/topic.ts'
import type { OpenStream } from './open-stream.ts'

/** Streams by what they listen to. */
export class Audience implements OpenTopics {
  readonly #streams = new Set<OpenStream>()
  /** By topic: `discussion:<stored id>`. */
  readonly #byTopic = new Map<string, Set<OpenStream>>()
  /** By a pattern of event types: `*`, `order.*`. */
  readonly #byPattern = new Map<string, Set<OpenStream>>()
  /** How many topics there are of each name. */
  readonly #keys = new Map<string, Set<string>>()

  static of(stream: OpenStream): Audience {
    const audience = new Audience()
    audience.add(stream)
    return audience
  }

  get streams(): ReadonlySet<OpenStream> {
    return this.#streams
  }

  /** Whether somebody gets the data of events as webhooks do. */
  get wantsPayloads(): boolean {
    return this.#byPattern.size > 0
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream)
    for (const topic of stream.topics.topics) {
      put(this.#byTopic, topic, stream)
      const [name, key] = split(topic)
      put(this.#keys, name, key)
    }
    for (const pattern of stream.topics.patterns) put(this.#byPattern, pattern, stream)
  }

  delete(stream: OpenStream): void {
    if (!this.#streams.delete(stream)) return
    for (const topic of stream.topics.topics) {
      take(this.#byTopic, topic, stream)
      const [name, key] = split(topic)
      if (!this.#byTopic.has(topic)) take(this.#keys, name, key)
    }
    for (const pattern of stream.topics.patterns) take(this.#byPattern, pattern, stream)
  }

  has(topic: string): boolean {
    return this.#byTopic.has(topic)
  }

  keysOf(name: string): readonly string[] {
    return [...(this.#keys.get(name) ?? [])]
  }

  /** Whether somebody listens to a topic of this name. */
  hasTopic(name: string): boolean {
    return this.#keys.has(name)
  }

  /** Who listens to one of these topics; each once. */
  listeningTo(topics: readonly string[]): ReadonlySet<OpenStream> {
    const found = topics.flatMap((topic) => this.#byTopic.get(topic) ?? [])
    return found.length === 1 ? (found[0] as Set<OpenStream>) : new Set(found.flatMap((each) => [...each]))
  }

  /** Streams that get events of this type as webhooks do; each once. */
  subscribedTo(type: string): ReadonlySet<OpenStream> {
    if (this.#byPattern.size === 0) return NOBODY
    return new Set(patternsOf(type).flatMap((pattern) => [...(this.#byPattern.get(pattern) ?? [])]))
  }
}

const NOBODY: ReadonlySet<OpenStream> = new Set()

const split = (topic: string): [name: string, key: string] => {
  const colon = topic.indexOf(':')
  return [topic.slice(0, colon), topic.slice(colon + 1)]
}

function put<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const found = map.get(key)
  if (found === undefined) map.set(key, new Set([value]))
  else found.add(value)
}

function take<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const found = map.get(key)
  found?.delete(value)
  if (found?.size === 0) map.delete(key)
}
