import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { Answer, TestApi } from '#testkit/api.ts'
import { logInOperator, makeOperator, type TestOperator } from '#testkit/areas/console.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withApi } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import { AccessModel, type ModelToken, OK, type Op, type Role } from './access-model.fixture.ts'

// Whatever operators do with projects, in whatever order, the API answers what the model says: who may do it, which tokens have ended,
// and which invitations still count.

/** The last one administers the installation. */
const OPERATORS = 5
const CHIEF = OPERATORS - 1
const PROJECTS = 2

const op = fc.nat({ max: OPERATORS - 1 })
const project = fc.nat({ max: PROJECTS - 1 })
const role = fc.constantFrom<Role>('viewer', 'admin', 'owner')

type Asked =
  | { readonly kind: 'add' | 'set role' | 'invite'; readonly target: Op; readonly role: Role }
  | { readonly kind: 'remove' | 'transfer' | 'withdraw' | 'let run out'; readonly target: Op }
  | { readonly kind: 'accept'; readonly target: Op; readonly isOwn: boolean }
  | { readonly kind: 'delete' | 'restore' | 'log out' }
  | { readonly kind: 'suspend'; readonly isOn: boolean; readonly byChief: boolean }
  | { readonly kind: 'token'; readonly asMember: boolean }
  | { readonly kind: 'settings'; readonly what: 'rename' | 'limits' | 'audit' | 'team' }
type Act = Asked & { readonly anyone: Op; readonly isOwner: number; readonly project: number }

const kinds = (kind: Asked['kind'], given: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({
    ...{ kind: fc.constant(kind), anyone: op, isOwner: fc.nat({ max: 2 }), project },
    ...given,
  }) as unknown as fc.Arbitrary<Act>

const act = fc.oneof(
  { weight: 2, arbitrary: kinds('add', { target: op, role }) },
  { weight: 2, arbitrary: kinds('set role', { target: op, role }) },
  { weight: 2, arbitrary: kinds('remove', { target: op }) },
  { weight: 1, arbitrary: kinds('transfer', { target: op }) },
  { weight: 2, arbitrary: kinds('invite', { target: op, role }) },
  { weight: 1, arbitrary: kinds('withdraw', { target: op }) },
  { weight: 1, arbitrary: kinds('let run out', { target: op }) },
  { weight: 3, arbitrary: kinds('accept', { target: op, isOwn: fc.boolean() }) },
  { weight: 1, arbitrary: kinds('delete', {}) },
  { weight: 3, arbitrary: kinds('restore', {}) },
  { weight: 1, arbitrary: kinds('suspend', { isOn: fc.boolean(), byChief: fc.boolean() }) },
  { weight: 1, arbitrary: kinds('log out', {}) },
  { weight: 6, arbitrary: kinds('token', { asMember: fc.boolean() }) },
  { weight: 2, arbitrary: kinds('settings', { what: fc.constantFrom('rename', 'limits', 'audit', 'team') }) },
)

let api: TestApi
withApi((opened) => {
  api = opened
})

const outcomeOf = (answer: Answer<unknown>): string => (answer.status < 300 ? OK : refusalOf(answer))

interface Side {
  readonly id: string
  readonly liveId: string
  readonly member: string
}
/** A token that was given, and what the model knows of it. */
interface Held {
  readonly model: ModelToken
  readonly key: string
  readonly asMember: boolean
}

class Walk {
  readonly model = new AccessModel(OPERATORS, [CHIEF])
  readonly #operators: TestOperator[] = []
  readonly #keys: string[] = []
  readonly #projects: Side[] = []
  readonly #held: Held[] = []
  /** Public ids of invitations, also of those that no longer count. */
  readonly #invitations = new Map<string, string>()

  static async begin(): Promise<Walk> {
    const walk = new Walk()
    for (let i = 0; i < OPERATORS; i++) {
      const made = await makeOperator(api, { administrator: i === CHIEF })
      walk.#operators.push(made)
      walk.#keys.push(made.accessToken)
    }
    for (let i = 0; i < PROJECTS; i++) await walk.#addProject(i)
    return walk
  }

  /** Makes a project that has a team of every role. */
  async #addProject(owner: Op): Promise<void> {
    const made = await this.#call<{ data: { id: string } }>(owner, 'POST', '/projects', { name: 'Walked' })
    const { id } = made.body.data
    const path = `/projects/${id}/token`
    const given = await this.#call<{ data: { access_token: string } }>(owner, 'POST', path, {
      environment: 'live',
    })
    const { body: member } = await api.send<{ member: { id: string } }>('POST', '/api/v1/members', {
      key: given.body.data.access_token,
      body: { email: 'ada@example.com' },
    })
    this.#projects.push({ id, liveId: parseId('project', id) ?? '', member: member.member.id })
    this.model.addProject(owner)
    for (const [n, of] of (['admin', 'viewer'] as const).entries()) {
      const target = (owner + 1 + n) % CHIEF
      const body = { operator_id: this.#who(target).publicId, role: of }
      await this.#call(owner, 'POST', `/projects/${id}/team`, body)
      this.model.add(owner, this.#projects.length - 1, { target, role: of })
    }
  }

  #call<T>(actor: Op, method: string, path: string, body?: object): Promise<Answer<T>> {
    return this.#who(actor).call<T>(method, path, body, { key: this.#keys[actor] ?? '' })
  }
  #who(actor: Op): TestOperator {
    return this.#operators[actor] as TestOperator
  }
  #where(index: number): Side {
    return this.#projects[index] as Side
  }

  /** Who acts: an owner more often than not, because what others are refused changes nothing. */
  #actor({ anyone, isOwner, project: at }: Act): Op {
    const owners = [...this.model.at(at).team].filter(([, grant]) => grant.role === 'owner')
    return isOwner > 0 ? (owners[anyone % owners.length]?.[0] ?? anyone) : anyone
  }

  /** Does it, and holds the answer against the model's. */
  async perform(each: Act): Promise<void> {
    const { model } = this
    const { project: at } = each
    const actor = this.#actor(each)
    const { id } = this.#where(at)
    const target = 'target' in each ? each.target : actor
    const { publicId, email } = this.#who(target)
    const key = `${at} ${target}`
    const call = (method: string, verb: string, body?: object) =>
      this.#call<{ data: { id: string } }>(actor, method, `/projects/${id}${verb}`, body)
    const is = (answer: Answer<unknown>, expected: string) =>
      expect([each, outcomeOf(answer)]).toEqual([each, expected])
    // What can be done with a deleted project beside these is no matter of roles.
    const ofDeleted = ['accept', 'delete', 'restore', 'token', 'log out', 'let run out']
    if (model.at(at).isDeleted && !ofDeleted.includes(each.kind)) return

    switch (each.kind) {
      case 'add': {
        const answer = await call('POST', '/team', { operator_id: publicId, role: each.role })
        return is(answer, model.add(actor, at, { target, role: each.role }))
      }
      case 'set role': {
        const answer = await call('PATCH', `/team/${publicId}`, { role: each.role })
        return is(answer, model.setRole(actor, at, { target, role: each.role }))
      }
      case 'remove':
        return is(await call('DELETE', `/team/${publicId}`), model.remove(actor, at, target))
      case 'transfer': {
        const answer = await call('POST', '/transfer', { operator_id: publicId })
        return is(answer, model.transfer(actor, at, target))
      }
      case 'invite': {
        const answer = await call('POST', '/invitations', { email, role: each.role })
        is(answer, model.invite(actor, at, { target, role: each.role }))
        if (answer.status === 201) this.#invitations.set(key, answer.body.data.id)
        return
      }
      case 'withdraw': {
        const known = this.#invitations.get(key)
        if (known === undefined) return
        return is(await call('DELETE', `/invitations/${known}`), model.withdraw(actor, at, target))
      }
      case 'let run out':
        return this.#letRunOut(at, target)
      case 'accept': {
        const known = this.#invitations.get(key)
        if (known === undefined) return
        const by = each.isOwn ? target : actor
        const answer = await this.#call(by, 'POST', `/me/invitations/${known}/accept`)
        return is(answer, model.accept(by, at, target))
      }
      case 'delete':
        return is(await call('POST', '/delete', { name: 'Walked' }), model.delete(actor, at))
      case 'restore':
        return is(await call('POST', '/restore'), model.restore(actor, at))
      case 'suspend': {
        const by = each.byChief ? CHIEF : actor
        const path = `/projects/${id}/${each.isOn ? 'suspend' : 'resume'}`
        const answer = await this.#call(by, 'POST', path, each.isOn ? {} : undefined)
        return is(answer, model.suspend(by, at, each.isOn))
      }
      case 'log out':
        return this.#logOutAndIn(each.anyone)
      case 'token':
        return this.#take(each.anyone, at, each.asMember)
      case 'settings': {
        const asked = {
          rename: ['admin', 'PATCH', '', { name: 'Walked' }],
          limits: ['administrator', 'PATCH', '/limits', { rate_limit: 100 }],
          audit: ['admin', 'GET', '/audit-log', undefined],
          team: [each.anyone === CHIEF ? 'administrator' : 'viewer', 'GET', '/team', undefined],
        } as const
        const [needed, method, verb, body] = asked[each.what]
        const answer = await this.#call(each.anyone, method, `/projects/${id}${verb}`, body)
        return is(answer, model.refusal(each.anyone, at, needed) ?? OK)
      }
    }
  }

  async #letRunOut(at: number, target: Op): Promise<void> {
    const invitation = this.model.at(at).invitations.get(target)
    if (invitation === undefined) return
    invitation.isOpen = false
    const { liveId } = this.#where(at)
    await api.owner.query(
      'update team_invitations set expires_at = now() where project_id = $1 and invitee_key = $2',
      [liveId, this.#who(target).email],
    )
  }

  /** The token from before works no more, and the one after it does. */
  async #logOutAndIn(actor: Op): Promise<void> {
    const before = this.#keys[actor] ?? ''
    expect((await this.#call(actor, 'POST', '/logout')).status).toBe(200)
    this.model.sessions.delete(actor)
    expect((await this.#who(actor).call('GET', '/me', undefined, { key: before })).status).toBe(401)
    await this.#useAll()
    this.#keys[actor] = (await logInOperator(api, this.#who(actor).email)).token
    this.model.logIn(actor)
  }

  async #take(actor: Op, at: number, asMember: boolean): Promise<void> {
    const { id, member } = this.#where(at)
    const path = asMember ? `/projects/${id}/members/${member}/session` : `/projects/${id}/token`
    const expected = this.model.token(actor, at, asMember ? 'admin' : 'viewer')
    const answer = await this.#call<{ data: { access_token: string } }>(actor, 'POST', path, {
      environment: 'live',
    })
    expect([path, outcomeOf(answer)]).toEqual([path, typeof expected === 'string' ? expected : OK])
    if (typeof expected !== 'string')
      this.#held.push({ model: expected, key: answer.body.data.access_token, asMember })
  }

  /** Holds what all tokens open against the model; an end is known everywhere within a second. */
  async #useAll(): Promise<void> {
    for (const held of this.#held.slice(-6)) {
      const asked = held.asMember
        ? ([['GET', '/user/profile']] as const)
        : ([
            ['GET', '/members'],
            ['POST', '/members/bulk'],
          ] as const)
      for (const [method, path] of asked)
        await within(1_000, async () => {
          const body = method === 'POST' ? { body: { operations: [] } } : {}
          const answer = await api.send(method, `/api/v1${path}`, { key: held.key, ...body })
          // An empty list of operations is refused by what it is, and not by whose it is.
          const outcome = answer.status === 422 ? OK : outcomeOf(answer)
          expect([path, outcome]).toEqual([path, this.model.use(held.model, method === 'GET')])
        })
    }
  }

  /** The team that each project shows. */
  async check(): Promise<void> {
    await this.#useAll()
    for (const [at, { liveId }] of this.#projects.entries()) {
      const { rows } = await api.owner.query<{ id: string; role: string }>(
        'select id, role from team_members where project_id = $1',
        [liveId],
      )
      const named = rows.map(
        ({ id, role: of }) => `${this.#operators.findIndex((each) => each.id === id)} ${of}`,
      )
      const wanted = [...this.model.at(at).team].map(([who, { role: of }]) => `${who} ${of}`)
      expect(named.toSorted()).toEqual(wanted.toSorted())
    }
  }
}

test('operators may do what the model of roles says, whatever happened before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 40, maxLength: 60 }), async (acts) => {
      const walk = await Walk.begin()
      for (const [n, each] of acts.entries()) {
        await walk.perform(each)
        if (n % 4 === 3) await walk.check()
      }
      await walk.check()
    }),
    { numRuns: 3, seed: 20261128, endOnFailure: true },
  )
})
