import { describe, expect, test } from 'vitest'
import { KEY, VISITOR, type Viewer } from '#platform/http/viewer.ts'
import {
  assertMayEdit,
  assertModerates,
  assertTakesComments,
  assertThere,
  maySee,
  type Status,
  type Thread,
} from './access.ts'

const member = (memberId: string, planId: string, isModerator = false): Viewer => ({
  isKey: false,
  memberId,
  planId,
  isModerator,
})
const VIEWERS = {
  key: KEY,
  visitor: VISITOR,
  author: member('author', 'gold'),
  other: member('other', 'gold'),
  outsider: member('outsider', 'free'),
  moderator: member('moderator', 'free', true),
} as const satisfies Record<string, Viewer>
type Name = keyof typeof VIEWERS

const thread = (more: Partial<Thread> = {}): Thread => ({
  status: 'visible',
  author_id: 'author',
  required_plans: [],
  is_locked: false,
  ...more,
})
const who = (may: (viewer: Viewer) => unknown): Name[] =>
  (Object.keys(VIEWERS) as Name[]).filter((name) => {
    try {
      return may(VIEWERS[name]) !== false
    } catch {
      return false
    }
  })
const gold = { required_plans: ['gold'] }
const everybody = Object.keys(VIEWERS)

describe('who sees a discussion', () => {
  const seen = (more: Partial<Thread>) => who((viewer) => maySee(viewer, thread(more), thread(more)))
  test.each<[Status, Partial<Thread>, string[]]>([
    ['visible', {}, everybody],
    ['visible', gold, ['key', 'author', 'other', 'moderator']],
    ['pending', {}, ['key', 'author', 'moderator']],
    ['pending', gold, ['key', 'author', 'moderator']],
    ['removed', {}, ['key', 'moderator']],
    ['removed', gold, ['key', 'moderator']],
  ])('that is %s, with %j', (status, more, expected) => {
    expect(seen({ ...more, status })).toEqual(expected)
  })

  test('an author whose plan ended sees nothing of a gated one', () => {
    const gone = member('author', 'free')
    expect(maySee(gone, thread(gold), thread(gold))).toBe(false)
  })
})

test('a locked discussion takes comments from nobody', () => {
  expect(who((viewer) => assertTakesComments(viewer, thread({ is_locked: true })))).toEqual([])
  expect(who((viewer) => assertTakesComments(viewer, thread(gold)))).toEqual([
    'key',
    'author',
    'other',
    'moderator',
  ])
})

test('authors change their own until it is locked, and staff everything', () => {
  const edits = (more: Partial<Thread>) => who((viewer) => assertMayEdit(viewer, thread(more), thread(more)))
  expect(edits({})).toEqual(['key', 'author', 'moderator'])
  expect(edits({ is_locked: true })).toEqual(['key', 'moderator'])
})

test('what was removed is there for nobody, whatever they want with it', () => {
  expect(who((viewer) => assertThere(viewer, thread({ status: 'removed' })))).toEqual([])
})

test('keys and moderators moderate, and nobody else', () => {
  expect(who(assertModerates)).toEqual(['key', 'moderator'])
})
