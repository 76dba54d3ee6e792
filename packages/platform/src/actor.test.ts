import { expect, test } from 'vitest'
import { type Actor, memberNamed } from './actor.ts'
import { newUuid, toId } from './ids.ts'

const own = newUuid()
const someone = newUuid()
const member: Actor = { kind: 'member', id: own, sessionId: newUuid(), aal: 'aal1' }
const secret: Actor = { kind: 'secret_key', id: newUuid() }
const open: Actor = { kind: 'public_key', id: newUuid() }
const id = (uuid: string) => toId('member', uuid)

test('with a member’s token one acts as oneself, named or not, and as nobody else', () => {
  expect(memberNamed(member, undefined, 'author_id')).toBe(own)
  expect(memberNamed(member, id(own), 'author_id')).toBe(own)
  for (const other of [id(someone), own, '', 'mem_x'])
    expect(() => memberNamed(member, other, 'author_id')).toThrow(expect.objectContaining({ status: 403 }))
})

test('with a secret key one names any member, or nobody', () => {
  expect(memberNamed(secret, id(someone), 'author_id')).toBe(someone)
  expect(memberNamed(secret, undefined, 'author_id')).toBeUndefined()
  expect(() => memberNamed(secret, toId('plan', someone), 'author_id')).toThrow(
    expect.objectContaining({ status: 422, code: 'VALIDATION_ERROR' }),
  )
})

test('with a public key one names nobody', () => {
  expect(memberNamed(open, undefined, 'author_id')).toBeUndefined()
  expect(() => memberNamed(open, id(someone), 'author_id')).toThrow(expect.objectContaining({ status: 403 }))
})
