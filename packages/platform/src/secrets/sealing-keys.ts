/** Keys by which secrets of projects are sealed. `keys/project-keys.ts` reads them from the database. */

interface Held {
  readonly key: Buffer
  /** In the time of `performance.now()`. */
  readonly sealsFrom: number
}

/** In place of a project, for what belongs to the whole installation. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000'

/** Milliseconds from the making of a key until it is used: by then every process knows it. */
export const KNOWN_AFTER_MS = 60_000

/** Ids are unique over all installations, so that one process can have keys of several. */
const held = new Map<string, Held>()

/** @param ageMs milliseconds since it was made */
export function holdSealingKey(projectId: string, key: Buffer, ageMs: number): void {
  const sealsFrom = performance.now() + Math.max(0, KNOWN_AFTER_MS - ageMs)
  held.set(projectId, { key, sealsFrom })
}

/** The key that opens what was sealed in a project; undefined where this process does not know it. */
export const keyToOpen = (projectId: string): Buffer | undefined => held.get(projectId)?.key

/** The key that seals in a project; undefined where there is none that every process knows. */
export function keyToSeal(projectId: string): Buffer | undefined {
  const found = held.get(projectId)
  return found !== undefined && found.sealsFrom <= performance.now() ? found.key : undefined
}
