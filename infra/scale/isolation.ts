/** Many customers at once, while connections break: nobody may see or get anybody else's row. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from '../faults/customers.ts'
import type { Rig } from '../faults/rig.ts'

const PROJECTS = 20
const CLIENTS = 50

interface Member {
  readonly id: string
  readonly email: string
}

interface Body {
  readonly member?: Member
  readonly members?: readonly Member[]
}

export interface Isolation {
  readonly requests: number
  /** That were answered by an error, or not at all, because of what broke. */
  readonly failed: number
  /** What must not happen, in words. */
  readonly wrong: readonly string[]
}

/** @param disturb breaks things meanwhile, again and again */
export async function isolationUnderLoad(
  rig: Rig,
  { milliseconds, disturb }: { milliseconds: number; disturb: () => Promise<unknown> },
): Promise<Isolation> {
  const customers: Customer[] = []
  for (let n = 0; n < PROJECTS; n++) customers.push(await rig.makeCustomer())
  const made: Member[][] = customers.map(() => [])
  const wrong = new Set<string>()
  let [requests, failed] = [0, 0]
  const ask = async (project: number, method: string, path: string, body?: object) => {
    requests++
    const headers = {
      authorization: `Bearer ${customers[project]?.key}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${rig.origin}/api/v1${path}`, init).then(
      async (response) => ({ status: response.status, body: (await response.json()) as Body }),
      () => ({ status: 0, body: {} as Body }),
    )
    if (answer.status === 0 || answer.status >= 500) failed++
    return answer
  }
  const end = Date.now() + milliseconds
  const client = async (n: number) => {
    const project = n % PROJECTS
    const mark = `p${project}.`
    for (let turn = 0; Date.now() < end; turn++) {
      const created = await ask(project, 'POST', '/members', { email: `${mark}c${n}.t${turn}@example.com` })
      if (created.status === 201 && created.body.member) made[project]?.push(created.body.member)
      const listed = await ask(project, 'GET', '/members?limit=20')
      if (listed.body.members?.some(({ email }) => !email.startsWith(mark)))
        wrong.add("a list showed another project's member")
      const foreign = made[(project + 1) % PROJECTS]?.at(-1)
      if (foreign && (await ask(project, 'GET', `/members/${foreign.id}`)).status === 200)
        wrong.add("another project's member was answered")
    }
  }
  const disturbing = (async () => {
    while (Date.now() < end) {
      await disturb()
      await sleep(400)
    }
  })()
  await Promise.all([disturbing, ...Array.from({ length: CLIENTS }, (_, n) => client(n))])

  const rows = await rig.sql<{ project_id: string; email: string }>(
    "select project_id, email from members where email like 'p%.c%.t%@example.com'",
  )
  const places = new Map(customers.map(({ projectId }, n) => [projectId, `p${n}.`]))
  if (rows.some(({ project_id, email }) => !email.startsWith(places.get(project_id) ?? '-')))
    wrong.add("a member was written into another's project")
  const kept = new Set(rows.map(({ email }) => email))
  const lost = made.flat().filter(({ email }) => !kept.has(email)).length
  if (lost > 0) wrong.add(`${lost} members were answered and are not there`)
  if (made.some((members) => members.length === 0)) wrong.add('a project had no member made')
  return { requests, failed, wrong: [...wrong] }
}
