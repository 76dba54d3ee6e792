/** The modules of a course in their order, with the ids of their lessons. */
export interface OrderedModule {
  readonly id: string
  readonly lessons: readonly string[]
}
export type Outline = readonly OrderedModule[]

/** Where something is put: beside another thing, or at the end of a module. */
export interface Place {
  readonly key: string
  readonly dropPosition: 'before' | 'after' | 'on'
}

/** Puts modules and lessons at a place, in the order that they have. What does not fit there stays. */
export function moveTo(outline: Outline, keys: ReadonlySet<string>, place: Place): Outline {
  const modules = outline.filter(({ id }) => keys.has(id))
  if (modules.length > 0) return insert(outline, modules, place, ({ id }) => id)
  if (keys.has(place.key)) return outline
  const moved = outline.flatMap(({ lessons }) => lessons.filter((id) => keys.has(id)))
  return outline.map(({ id, lessons }) => {
    const left = lessons.filter((lesson) => !keys.has(lesson))
    if (id === place.key && place.dropPosition === 'on') return { id, lessons: [...left, ...moved] }
    return { id, lessons: left.includes(place.key) ? insert(left, moved, place, (each) => each) : left }
  })
}

function insert<T>(
  all: readonly T[],
  moved: readonly T[],
  { key, dropPosition }: Place,
  keyOf: (one: T) => string,
) {
  const left = all.filter((one) => !moved.includes(one))
  const at = left.findIndex((one) => keyOf(one) === key)
  if (at < 0) return all
  return left.toSpliced(dropPosition === 'before' ? at : at + 1, 0, ...moved)
}

/**
 * One step up or down: a module among modules; a lesson also over the border of its module.
 * @returns undefined where there is nowhere to go
 */
export function step(outline: Outline, key: string, by: -1 | 1): Outline | undefined {
  const m = outline.findIndex(({ id, lessons }) => id === key || lessons.includes(key))
  const module = outline[m]
  if (module === undefined) return undefined
  const beside = outline[m + by]
  const dropPosition = by < 0 ? 'before' : 'after'
  if (module.id === key) return beside && moveTo(outline, new Set([key]), { key: beside.id, dropPosition })
  const neighbour = module.lessons[module.lessons.indexOf(key) + by]
  if (neighbour !== undefined) return moveTo(outline, new Set([key]), { key: neighbour, dropPosition })
  if (beside === undefined) return undefined
  const [first] = beside.lessons
  const place: Place =
    by < 0 || first === undefined
      ? { key: beside.id, dropPosition: 'on' }
      : { key: first, dropPosition: 'before' }
  return moveTo(outline, new Set([key]), place)
}
