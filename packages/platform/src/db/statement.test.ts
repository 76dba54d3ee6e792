import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asked, compileOnce, type Sql } from './statement.ts'

interface Values {
  id: string
  tags: readonly string[]
  item: { readonly name: string; readonly price: number }
}
const VALUES: Values = { id: '1', tags: ['a', 'b'], item: { name: 'Clay', price: 5 } }
const bound = (build: (v: Values) => Sql<unknown>) => asked(compileOnce('test', build), VALUES).bound.values

test('a statement binds its values as they are, each time that it names them', () => {
  expect(bound((v) => sql`select ${v.id}, ${v.tags}, ${v.id}, ${v.item}`)).toEqual([
    '1',
    ['a', 'b'],
    '1',
    { name: 'Clay', price: 5 },
  ])
})

test.each<[string, (v: Values) => Sql<unknown>]>([
  ['a field of a value', (v) => sql`select ${v.item.price}`],
  ['a field that is called name', (v) => sql`select ${v.item.name}`],
  ['an element of a list', (v) => sql`select ${v.tags[0]}`],
  ['the length of a list', (v) => sql`select ${v.tags.length}`],
  ['a text that is made of a value', (v) => sql`select ${`%${v.id}%`}`],
])('a statement that reads %s is refused when it is compiled, and never bound as null', (_, build) => {
  expect(() => bound(build)).toThrow(/^v\.(id|tags|item) is one value while a query is built/)
})

test('a statement that copies its values without their names is refused when it is compiled', () => {
  expect(() => bound((v) => sql`select ${sql.join(Object.values({ ...v }))}`)).toThrow(
    'names each of its values',
  )
})
