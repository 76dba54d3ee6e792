import { expect, test } from 'vitest'
import { type Callers, makeCallers } from '#testkit/areas/auth/callers.ts'
import { withProjects } from '#testkit/with-api.ts'
import { Board } from './votes/board.fixture.ts'

// Who may do what on the board, tried by everybody who can call: key, author, other, moderator, outsider, pending,
// inactive; public key with and without capabilities; nobody.

let callers: Callers
let board: Board

withProjects(async (api, one) => {
  callers = await makeCallers(api, one.live)
  board = new Board(one.live)
})

const make = (visibility: 'public' | 'private') => board.make({ user_id: callers.author, visibility })

test('everybody who may read at all reads public items, the roadmap and the changelog', async () => {
  const id = await make('public')
  for (const path of ['/feedback', `/feedback/${id}`, `/feedback/${id}/comments`, '/roadmap', '/changelog'])
    expect([path, await callers.statusesOf('GET', path)]).toEqual([
      path,
      [200, 200, 200, 200, 200, 200, 401, 200, 403, 401],
    ])
})

test('private items are for keys, moderators and whoever sent them', async () => {
  const id = await make('private')
  for (const path of [`/feedback/${id}`, `/feedback/${id}/comments`, `/feedback/${id}/similar`])
    expect([path, await callers.statusesOf('GET', path)]).toEqual([
      path,
      [200, 200, 404, 200, 404, 404, 401, 404, 403, 401],
    ])
  expect(await callers.statusesOf('PUT', `/feedback/${id}/vote`)).toEqual([
    ...[200, 200, 404, 200, 404, 403, 401, 403, 403, 401],
  ])
})

test('active members vote, comment and send in; public keys send in alone', async () => {
  const id = await make('public')
  expect(await callers.statusesOf('PUT', `/feedback/${id}/vote`)).toEqual([
    ...[200, 200, 200, 200, 200, 403, 401, 403, 403, 401],
  ])
  expect(await callers.statusesOf('POST', `/feedback/${id}/comments`, { content: 'x' })).toEqual([
    ...[422, 201, 201, 201, 201, 403, 401, 403, 403, 401],
  ])
  expect(await callers.statusesOf('POST', '/feedback', { type: 'feature', message: 'x' })).toEqual([
    ...[201, 201, 201, 201, 201, 403, 401, 201, 403, 401],
  ])
})

test('the sender rewords it; the team says where it stands, merges and deletes it', async () => {
  const id = await make('public')
  const into = await make('public')
  expect(await callers.statusesOf('PATCH', `/feedback/${id}`, { message: 'x' })).toEqual([
    ...[200, 200, 403, 200, 403, 403, 401, 403, 403, 401],
  ])
  const team = [200, 403, 403, 200, 403, 403, 401, 403, 403, 401]
  expect(await callers.statusesOf('POST', `/feedback/${id}/status`, { status: 'planned' })).toEqual(team)
  expect(await callers.statusesOf('POST', `/feedback/${id}/merge`, { into })).toEqual(team)
  for (const list of ['voters', 'status-changes'])
    expect([list, await callers.statusesOf('GET', `/feedback/${id}/${list}`)]).toEqual([list, team])
  expect(await callers.statusesOf('DELETE', async () => `/feedback/${await make('public')}`)).toEqual(team)
})
