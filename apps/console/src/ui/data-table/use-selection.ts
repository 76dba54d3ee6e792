import { useEffect, useState } from 'react'
import type { ListSearch } from '../../data/list-query.ts'

/** Which rows are chosen, over all pages of a list. */
export interface Selection<Row> {
  readonly chosen: ReadonlySet<string>
  readonly choose: (ids: readonly string[], isChosen: boolean) => void
  readonly clear: () => void
  /** What a row is called, for who cannot see it. */
  readonly nameOf: (row: Row) => string
  /** Chooses all rows that match, also those of other pages. Undefined where they are more than one act takes. */
  readonly chooseAll: (() => Promise<void>) | undefined
  readonly isChoosing: boolean
}

interface Options<Row> {
  readonly list: {
    readonly search: ListSearch
    readonly data: { readonly pagination?: { readonly total?: number } } | undefined
    readonly fetchAll: (most: number) => Promise<readonly Row[]>
  }
  readonly keyOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** The largest number of rows that one act takes. Default: 1,000 */
  readonly most?: number
}

/** The rows that somebody has chosen in a list. Another search or filter chooses anew; another page does not. */
export function useSelection<Row>({ list, keyOf, nameOf, most = 1_000 }: Options<Row>): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isChoosing, setChoosing] = useState(false)
  const { page: _, sort: __, order: ___, ...filters } = list.search
  const key = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen among other rows is not chosen among these.
  useEffect(() => setChosen(new Set()), [key])
  const total = list.data?.pagination?.total ?? 0
  const chooseAll = async () => {
    setChoosing(true)
    try {
      setChosen(new Set((await list.fetchAll(most)).map(keyOf)))
    } finally {
      setChoosing(false)
    }
  }
  return {
    ...{ chosen, nameOf, isChoosing },
    choose: (ids, isChosen) =>
      setChosen((before) => {
        const next = new Set(before)
        for (const id of ids) isChosen ? next.add(id) : next.delete(id)
        return next
      }),
    clear: () => setChosen(new Set()),
    chooseAll: total > 0 && total <= most ? chooseAll : undefined,
  }
}
