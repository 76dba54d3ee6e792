import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { putSubmission } from '#testkit/areas/exports.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import type { Side } from '#testkit/factories.ts'
import { describeWithPython, readByPython } from '#testkit/servers/python.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import { formId } from '../ids.ts'
import type { Form } from '../schema.ts'

// Files of submissions as others read them: every cell, and what becomes of a file that cannot be sent to its end.

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

/** What has broken readers and spreadsheets before. NUL is in no text of PostgreSQL. */
const NASTY = [
  ...['', ' ', ' leading', 'trailing ', ',', '"', '""', '"a"', 'a"b', '\n', '\r', '\r\n', 'a\nb', 'a\rb'],
  ...['\t', '\\', '\\.', '\\N', 'null', 'ü€😀', '\u202eabc', '\ufeff', '\u2028', 'a;b', "'", "'=1", '\u0001'],
  ...['=1+1', '+1', '+1 2', '-1', '-x', '@x', '\t=1', '\r=1', '=HYPERLINK("http://x","y")', '-1.5e3'],
  ...['$1', '$$', '{a}', '[1]', "x'); drop table members; --", 'x'.repeat(100_000)],
]
const guardedCell = (text: string) =>
  /^[=+\-@\t\r]/.test(text) && !/^[-+][\d.]+(e\d+)?$/.test(text) ? `'${text}` : text

describeWithPython('Python', () => {
  let form: Form
  beforeAll(async () => {
    form = await makeForm(side, {
      fields: [
        { id: 'a', type: 'textarea', label: '=cmd|"x"!A1' },
        { id: 'b', type: 'textarea', label: 'Line,\nü' },
      ],
    })
    for (const [i, text] of NASTY.entries()) {
      const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, i))
      await putSubmission(
        api,
        side,
        form,
        { a: text, b: text },
        { created_at, user_agent: text, referrer: text },
      )
    }
  })
  const bytes = async (query: string) => {
    const headers = { authorization: `Bearer ${side.key}` }
    const answer = await fetch(`${api.url}/api/v1/forms/${form.id}/submissions/export${query}`, { headers })
    return Buffer.from(await answer.arrayBuffer())
  }
  const valuesOf = (rows: string[][]) =>
    rows.map(([, , , a, b, , agent, referrer]) => [a, b, agent, referrer])

  test('reads every cell as it was submitted, guarded', async () => {
    const rows = valuesOf(await readByPython(await bytes('')))
    expect(rows[0]).toEqual([`'=cmd|"x"!A1`, 'Line,\nü', 'user_agent', 'referrer'])
    expect(rows.slice(1)).toEqual(NASTY.map((text) => Array(4).fill(guardedCell(text))))
  })

  test('reads every cell to the letter where it is raw', async () => {
    const rows = valuesOf(await readByPython(await bytes('?raw=true')))
    expect(rows[0]?.[0]).toBe('=cmd|"x"!A1')
    expect(rows.slice(1)).toEqual(NASTY.map((text) => Array(4).fill(text)))
  })

  test('takes a byte order mark for what it is', async () => {
    const file = await bytes('?bom=true')
    expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect((await readByPython(file, 'utf-8-sig'))[0]?.[0]).toBe('id')
    expect(file.subarray(3).equals(await bytes(''))).toBe(true)
  })
})

describe('a file that is large', () => {
  let form: Form
  const ROWS = 12_000
  beforeAll(async () => {
    form = await makeForm(side, { fields: [{ id: 'a', type: 'textarea', label: 'A' }] })
    await api.owner.query(
      `insert into form_submissions (project_id, id, form_id, form_version, data, created_at)
       select $1, gen_random_uuid(), $2, 1, jsonb_build_object('a', repeat('x', 2500)), now() - n * interval '1 s'
       from generate_series(1, $3::int) n`,
      [side.projectId, parseId(formId, form.id), ROWS],
    )
  })
  const running = async () =>
    (
      await api.owner.query(
        "select 1 from pg_stat_activity where query like 'copy (%' and state <> 'idle' and datname = current_database()",
      )
    ).rowCount
  /** Asks for the file over a bare socket. */
  const ask = () => {
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /api/v1/forms/${form.id}/submissions/export HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${side.key}\r\n\r\n`,
    )
    return socket
  }

  test('begins at once, before a row is found', async () => {
    await api.owner.query('begin; lock table form_submissions in access exclusive mode')
    const socket = ask()
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    await vi.waitFor(
      () => expect(received).toContain('id,created_at,member_id,A,ip,user_agent,referrer\r\n'),
      SOON,
    )
    expect(received).not.toContain('xxx')
    await api.owner.query('commit')
    await vi.waitFor(() => expect(received).toContain('xxx'), SOON)
    socket.destroy()
    await vi.waitFor(async () => expect(await running()).toBe(0), SOON)
  })

  test('comes whole', async () => {
    const { body } = await api.fetch<string>('GET', `/api/v1/forms/${form.id}/submissions/export`, {
      key: side.key,
    })
    expect(body.split('\r\n')).toHaveLength(ROWS + 2)
  })

  test('ends its query when its reader goes', async () => {
    const socket = ask()
    await once(socket, 'data')
    socket.pause()
    await vi.waitFor(async () => expect(await running()).toBe(1), SOON)
    socket.destroy()
    await vi.waitFor(async () => expect(await running()).toBe(0), SOON)
  })

  test('ends with a reset, and never with the last chunk, when the database fails', async () => {
    const socket = ask()
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received = (received + text).slice(-100)
    })
    await once(socket, 'data')
    socket.pause()
    await vi.waitFor(async () => expect(await running()).toBe(1), SOON)
    await api.owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy (%' and datname = current_database()",
    )
    socket.resume()
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    expect(received.endsWith('0\r\n\r\n')).toBe(false)
  })

  test('is no valid answer to fetch then', async () => {
    const answer = await fetch(`${api.url}/api/v1/forms/${form.id}/submissions/export`, {
      headers: { authorization: `Bearer ${side.key}` },
    })
    await vi.waitFor(async () => expect(await running()).toBe(1), SOON)
    await api.owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy (%' and datname = current_database()",
    )
    await expect(answer.text()).rejects.toThrow()
  })
})
