import { useState } from 'react'
import { Badge } from '../badge/badge.tsx'
import { Money } from '../money/money.tsx'
import type { Stories } from '../story.ts'
import { type Column, DataTable, type Sorting } from './data-table.tsx'

interface Row {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly total: number
}

const ROWS: readonly Row[] = [
  { id: '1', name: 'Ada Lovelace', state: 'paid', total: 1_234.5 },
  { id: '2', name: 'محمد بن موسى الخوارزمي', state: 'failed', total: 0 },
  { id: '3', name: `Maximiliane ${'von und zu '.repeat(8)} 👩🏽‍🚀`, state: 'pending', total: 99 },
]

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi>, sort: 'name' },
  { title: 'Status', cell: ({ state }) => <Badge state={state} />, hideBelow: 700 },
  { title: 'Total', cell: ({ total }) => <Money amount={total} currency="eur" />, isNumber: true },
]

function Chosen() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['2']))
  const [sorting, setSorting] = useState<Sorting>({ sort: 'name', order: 'asc' })
  return (
    <DataTable
      label="Orders"
      columns={COLUMNS}
      rows={ROWS}
      keyOf={({ id }) => id}
      sorting={sorting}
      onSort={setSorting}
      selection={{
        chosen,
        choose: (ids, is) =>
          setChosen(new Set([...chosen].filter((id) => !ids.includes(id)).concat(is ? ids : []))),
        clear: () => setChosen(new Set()),
        nameOf: ({ name }) => name,
        chooseAll: undefined,
        isChoosing: false,
      }}
    />
  )
}

export const stories: Stories = {
  'rows can be chosen': () => <Chosen />,
  'of another page': () => (
    <DataTable label="Orders" columns={COLUMNS} rows={ROWS} keyOf={({ id }) => id} isOld />
  ),
}
