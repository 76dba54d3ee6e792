import Fastify from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineId, newUuid, toId } from '../../ids.ts'
import type { Api, RouteTypes } from '../api.ts'
import { Deleted, deleted, envelope, envelopeOf, listEnvelope, pathId, strict } from '../envelope.ts'
import { defineTag, ifMatchOf } from '../etag.ts'
import { serveAsDeclared } from './declared-route.ts'
import { handleError } from './error-handler.ts'

const noteId = defineId('note', 'Note')
const Id = Type.String()
const Note = Type.Object({ id: Id })
const ById = strict({ id: pathId(noteId, Id), word: Id })
const open = { config: { access: 'open' } } as const

const api = Fastify().withTypeProvider<RouteTypes>()
api.setErrorHandler(handleError)
api.addHook('onRoute', serveAsDeclared)
api.decorateRequest('ifMatch', {
  getter() {
    return ifMatchOf(this)
  },
})

function addRoutes(to: Api): void {
  to.get(
    '/notes/:id/:word',
    { ...open, schema: { params: ById, response: { 200: envelope(strict({ id: Id, word: Id })) } } },
    (request) => request.params,
  )
  to.post('/notes', { ...open, schema: { response: { 201: envelope(Note) } } }, async () => ({ id: 'made' }))
  to.post('/sent', { ...open, schema: { response: { 201: envelope(Note) } } }, async (_request, reply) => {
    reply.hijack()
    reply.raw.end('sent by itself')
  })
  to.post('/refused', { ...open, schema: { response: { 201: envelope(Note) } } }, async () => {
    throw new Error('on purpose')
  })
  const either = { 200: envelope(Note), 201: envelope(Note) }
  to.put('/notes', { ...open, schema: { response: either } }, async (_request, reply) => {
    reply.code(201)
    return { id: 'made' }
  })
  to.get('/notes', { ...open, schema: { response: { 200: listEnvelope(Note) } } }, async () => ({
    rows: [{ id: 'listed' }],
    pagination: { limit: 20, next_cursor: null },
  }))
  to.get('/named', { ...open, schema: { response: { 200: envelopeOf({ note: Note }) } } }, async () => ({
    note: { id: 'named' },
  }))
  to.delete(
    '/notes/:id/:word',
    { ...open, schema: { params: ById, response: { 200: Deleted } } },
    async (request) => deleted(noteId, request.params.id),
  )
  const etag = defineTag('plans', strict({ name: Id }))
  const Tags = envelope(Type.Union([Type.Null(), Type.String(), Type.Array(Type.String())]))
  for (const [url, config] of [
    ['/tagged', { ...open.config, etag }],
    ['/untagged', open.config],
  ] as const)
    to.patch(url, { config, schema: { response: { 200: Tags } } }, async ({ ifMatch }) =>
      ifMatch === undefined ? null : typeof ifMatch === 'string' ? ifMatch : [...ifMatch],
    )
}

const ask = async (
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
  url: string,
  headers = {},
) => {
  const { statusCode, body } = await api.inject({ method, url, headers })
  return { status: statusCode, body: body.startsWith('{') ? JSON.parse(body) : body }
}

beforeAll(() => addRoutes(api as unknown as Api))
afterAll(() => api.close())

test('an id in a path arrives in its stored form, and other parameters as they were sent', async () => {
  const id = newUuid()
  const path = `/notes/${toId(noteId, id)}/word`
  expect(await ask('GET', path)).toEqual({ status: 200, body: { success: true, data: { id, word: 'word' } } })
  expect(await ask('HEAD', path)).toMatchObject({ status: 200 })
})

test.each(['x', toId('member', newUuid()), newUuid(), 'note_', 'NOTE_01jcq3k8f7e8qtk4m3hbw7rn2g'])(
  'the path id %s, which is none of that resource, is the 404 of a missing row',
  async (id) => {
    const body = { success: false, code: 'NOT_FOUND', error: 'Note not found' }
    expect(await ask('GET', `/notes/${id}/word`)).toMatchObject({ status: 404, body })
    expect(await ask('DELETE', `/notes/${id}/word`)).toMatchObject({ status: 404, body })
  },
)

test('the answer has the declared status and the declared envelope', async () => {
  const made = { status: 201, body: { success: true, data: { id: 'made' } } }
  expect(await ask('POST', '/notes')).toEqual(made)
  expect(await ask('PUT', '/notes')).toEqual(made)
  const pagination = { limit: 20, next_cursor: null }
  expect(await ask('GET', '/notes')).toEqual({
    status: 200,
    body: { success: true, data: [{ id: 'listed' }], pagination },
  })
  expect(await ask('GET', '/named')).toEqual({ status: 200, body: { success: true, note: { id: 'named' } } })
})

test('the answer to a delete has the id that its path named', async () => {
  const id = toId(noteId, newUuid())
  expect(await ask('DELETE', `/notes/${id}/word`)).toEqual({
    status: 200,
    body: { success: true, data: { id, deleted: true } },
  })
})

test('what a handler sends by itself is left alone, and so is an error', async () => {
  expect(await ask('POST', '/sent')).toEqual({ status: 200, body: 'sent by itself' })
  expect(await ask('POST', '/refused')).toMatchObject({ status: 500, body: { success: false } })
})

test.each([
  [undefined, null],
  ['*', '*'],
  [' * ', '*'],
  ['"a"', ['"a"']],
  ['W/"a", "b"', ['"a"', '"b"']],
  ['a', []],
  ['', []],
])('If-Match %j is parsed to %j', async (header, parsed) => {
  const headers = header === undefined ? {} : { 'if-match': header }
  expect(await ask('PATCH', '/tagged', headers)).toEqual({
    status: 200,
    body: { success: true, data: parsed },
  })
})

test('a route that declares no ETag cannot ask for If-Match', async () => {
  expect(await ask('PATCH', '/untagged')).toMatchObject({ status: 500 })
})
