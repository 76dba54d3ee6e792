import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SOON } from '#testkit/soon.ts'
import { findProgram } from '../find-program.ts'
import { openTopology, type Topology } from './topology.ts'

const pgbouncer = findProgram('pgbouncer')
const TEXT = 'What a member has uploaded.'

describe.runIf(pgbouncer !== '' && inject('servers').redisServer !== '')(
  'the parts of docker-compose.yml as processes, with PgBouncer and Redis',
  () => {
    let topology: Topology
    beforeAll(async () => {
      topology = await openTopology(pgbouncer)
    })
    afterAll(() => topology?.close())

    const send = async <T>(api: 0 | 1, method: string, path: string, body?: object) => {
      const isForm = body instanceof FormData
      const answer = await fetch(`${topology.apis[api].origin}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${topology.key}`,
          ...(body && !isForm && { 'content-type': 'application/json' }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as T }
    }
    /** The ids of members of whom the customer's server has heard. */
    const heardOf = () =>
      topology.receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)
    const mailed = () => topology.smtp.mails.flatMap(({ envelope }) => envelope.to)
    /** @returns the id of the member */
    const addMember = async (api: 0 | 1, email: string) => {
      const { status, body } = await send<{ member: { id: string } }>(api, 'POST', '/members', { email })
      expect(status).toBe(201)
      return body.member.id
    }

    test('what one API takes is seen through the other, mailed, sent as a webhook, and kept in the bucket', async () => {
      const endpoint = { url: topology.receiver.url, events: ['member.created'] }
      expect(await send(0, 'POST', '/webhooks', endpoint)).toMatchObject({ status: 201 })
      const member = await addMember(0, 'first@example.com')
      const { body } = await send<{ data: { id: string }[] }>(1, 'GET', '/members')
      expect(body.data.map(({ id }) => id)).toContain(member)
      expect(await send(1, 'POST', '/invitations', { email: 'invited@example.com' })).toMatchObject({
        status: 201,
      })

      const form = new FormData()
      form.append('file', new File([TEXT], 'a.txt', { type: 'text/plain' }))
      const { body: file } = await send<{ data: { id: string } }>(0, 'POST', '/storage/files', form)
      const { origin } = topology.apis[1]
      const read = await fetch(`${origin}/api/v1/storage/files/${file.data.id}/content`, {
        headers: { authorization: `Bearer ${topology.key}` },
      })
      expect([read.status, await read.text()]).toEqual([200, TEXT])

      await expect.poll(heardOf, SOON).toContain(member)
      await expect.poll(mailed, SOON).toContain('invited@example.com')
    })

    test('an API is killed: the other one answers every request, and what the killed one took is done', async () => {
      const members = await Promise.all(
        Array.from({ length: 10 }, (_, n) => addMember(0, `before${n}@example.com`)),
      )
      const [killed] = topology.apis
      killed.child.kill('SIGKILL')
      for (let n = 0; n < 20; n++) members.push(await addMember(1, `after${n}@example.com`))
      await killed.ended
      expect(await send(1, 'POST', '/invitations', { email: 'late@example.com' })).toMatchObject({
        status: 201,
      })
      await expect.poll(heardOf, SOON).toEqual(expect.arrayContaining(members))
      await expect.poll(mailed, SOON).toContain('late@example.com')
    })

    test('no secret is in the environment of a process', async () => {
      for (const value of Object.values(topology.secrets)) {
        expect(value.length).toBeGreaterThan(15)
        for (const set of Object.values(topology.environment)) expect(set).not.toContain(value)
      }
      for (const name of ['SECRET_KEY', 'OPS_TOKEN', 'S3_SECRET_ACCESS_KEY'])
        expect(await readFile(topology.environment[`${name}_FILE`] ?? '', 'utf8')).toMatch(/\S/)
    })
  },
)
