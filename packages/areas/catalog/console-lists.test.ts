import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { withApi } from '#testkit/with-api.ts'

// What lists of the console's own API take of what all lists of screens take. A new one is covered the day it is added.

let api: TestApi
withApi((opened) => {
  api = opened
})

type Taken = 'cursor' | 'page' | 'sort' | 'search' | 'dates'

/** By the parameter that a list leaves out, why. */
const LEFT_OUT: Readonly<Record<string, Partial<Readonly<Record<Taken, string>>>>> = {
  listConsoleProjects: {
    page: 'It is read on by its cursor alone',
    sort: 'The newest comes first; what somebody looks for is searched by its name',
    dates: 'Nobody looks for a project by its day',
  },
  listAuditLog: {
    page: 'Three logs are read together, each from one place on',
    search: 'It has ids and actions, which are filters, and no texts',
  },
  listConsoleRequests: {
    sort: 'The newest comes first: each day is a partition of its own',
    search: 'It has ids, routes and codes, which are filters, and no texts',
  },
  listConsoleEvents: { search: 'Payloads have no index; types and members are filters' },
  getConsoleTimeline: {
    page: 'Six kinds are read together, each from one place on',
    sort: 'The newest comes first: what led to something stands below it',
    search: 'Its kinds are a filter',
    dates: 'It is of one member, and read from the newest on',
  },
}

/** Lists without pages, each with the reason. */
const WHOLE: Readonly<Record<string, string>> = {
  listFactors: 'A part of one operator, who has a few',
  listSessions: 'A part of one operator, in the order of their use',
  listOwnInvitations: 'The newest 100 invitations to one address, which are good for a week',
  listTeam: 'A team is bounded, and its roles are looked at together',
  listTeamInvitations: 'A project has a bounded number, which are good for a week',
  listKeys: '500 keys of a side work at the most, and all of them are looked at together',
  getProjectLimits: 'The two sides of a project',
  getProjectUsage: 'The months of two years',
  listProjectExports: 'Archives of a week',
  listProjectImports: 'The newest imports of the installation',
  listProjectMoves: 'A project moves once in years',
  listCells: 'An installation has a few',
  searchConsole: 'The few things that match',
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[]
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema?: Schema }> }>>
}
interface Schema {
  readonly type?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The lists of the console's document, each with the names of its parameters. */
function consoleLists(): Map<string, Set<string>> {
  const document = api.api.consoleSwagger() as unknown as {
    readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  }
  const named = (ref: string): unknown =>
    ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  const plain = <T extends { readonly $ref?: string }>(part: T | undefined): T | undefined =>
    part?.$ref === undefined ? part : (named(part.$ref) as T)
  const lists = new Map<string, Set<string>>()
  for (const { get } of Object.values(document.paths)) {
    const answer = plain(get?.responses['200']?.content?.['application/json']?.schema)
    if (get === undefined || plain(answer?.properties?.['data'])?.type !== 'array') continue
    lists.set(get.operationId, new Set(get.parameters?.map((each) => plain(each)?.name ?? '')))
  }
  return lists
}

test('a list of the console takes page, cursor, sort, order, search and dates, or says why not', () => {
  const wrong: string[] = []
  const lists = consoleLists()
  expect(lists.size).toBeGreaterThan(15)
  for (const [name, takes] of lists) {
    if (name in WHOLE) {
      if (takes.has('cursor')) wrong.push(`${name} has pages`)
      continue
    }
    const taken: Record<Taken, boolean> = {
      cursor: takes.has('cursor') && takes.has('limit'),
      page: takes.has('page'),
      sort: takes.has('sort') && takes.has('order'),
      search: takes.has('search'),
      dates: takes.has('start_date') && takes.has('end_date'),
    }
    for (const [what, isThere] of Object.entries(taken)) {
      const reason = LEFT_OUT[name]?.[what as Taken]
      if (isThere === (reason !== undefined)) wrong.push(`${name}: ${what}${isThere ? ' is there' : ''}`)
    }
  }
  expect(wrong).toEqual([])
  expect([...Object.keys(LEFT_OUT), ...Object.keys(WHOLE)].filter((name) => !lists.has(name))).toEqual([])
})
