import { type RawBuilder, sql } from 'kysely'
import { pathPattern, textPattern } from '../goals/path-pattern.ts'
import { pagePath, pathPart } from '../visitors/page-path.ts'
import { type Dimension, isOfPaths, valueFor } from './queries/dimensions.ts'

export const OPERATORS = ['is', 'is_not', 'contains', 'not_contains', 'matches'] as const
export type Operator = (typeof OPERATORS)[number]

/** A condition on events: one of the values. */
export interface Filter {
  readonly dimension: Dimension
  readonly operator: Operator
  readonly values: readonly string[]
}

/** A filter as a condition on an event `n` in its visit `v`. */
export function conditionOf({ dimension, operator, values: given }: Filter): RawBuilder<boolean> {
  const values = isOfPaths(dimension) ? given.map(operator.endsWith('contains') ? pathPart : pagePath) : given
  const value = valueFor(dimension)
  const list = sql`${values}::text[]`
  const contained = sql<boolean>`exists (select from unnest(${list}) as t (part) where position(lower(t.part) in lower(${value})) > 0)`
  switch (operator) {
    case 'is':
      return sql`${value} = any (${list})`
    case 'is_not':
      return sql`(${value} is null or ${value} <> all (${list}))`
    case 'contains':
      return contained
    case 'not_contains':
      return sql`(${value} is null or not ${contained})`
    case 'matches':
      return sql`${value} ~ ${given.map(isOfPaths(dimension) ? pathPattern : textPattern).join('|')}`
  }
}
