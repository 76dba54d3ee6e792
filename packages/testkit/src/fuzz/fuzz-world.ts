import type { TestApi } from '../api.ts'
import { fingerprint } from '../catalog/catalogue.ts'
import type { Endpoint } from '../catalog/contract.ts'
import { makeNamed, missingId, pathIds } from '../catalog/sample-requests.ts'
import { makeProjects, type Side } from '../factories.ts'

/** Who asks. */
export const CALLERS = [
  'admin',
  'limited',
  'public',
  'closed public',
  'member',
  'moderator',
  'inactive',
  'nobody',
  'forged',
] as const
export type Caller = (typeof CALLERS)[number]

/** Two projects with something of everything, and callers of every kind of the one. Nothing of the other may change. */
export class FuzzWorld {
  readonly own: Side
  readonly others: readonly Side[]
  readonly #api: TestApi
  readonly #credentials = new Map<Caller, string>()
  readonly #ids = new Map<string, string>()
  readonly #foreign = new Map<string, readonly string[]>()
  readonly #cursors: string[] = []
  #before = ''
  #actor = ''

  private constructor(api: TestApi, own: Side, others: readonly Side[]) {
    this.#api = api
    this.own = own
    this.others = others
  }

  static async make(api: TestApi): Promise<FuzzWorld> {
    const [one, other] = await makeProjects(api)
    const world = new FuzzWorld(api, one.live, [one.test, other.live])
    await world.#makeKeys()
    for (const { prefix } of api.contract.endpoints.flatMap(pathIds)) {
      if (world.#foreign.has(prefix)) continue
      world.#foreign.set(prefix, await Promise.all(world.others.map((side) => makeNamed(side, prefix))))
    }
    world.#before = await world.#theirs()
    return world
  }

  /** Makes what the requests of an endpoint can name: a thing of each prefix, and members who are logged in. */
  async prepare(endpoint: Endpoint): Promise<void> {
    for (const { prefix } of pathIds(endpoint)) {
      // What requests have changed can keep things from being made; those of before are there still.
      const made = await makeNamed(this.own, prefix).catch(() => undefined)
      if (made !== undefined) this.#ids.set(prefix, made)
    }
    for (const [caller, role] of [
      ['member', 'member'],
      ['moderator', 'moderator'],
      ['inactive', 'member'],
    ] as const) {
      const { id } = await this.own.makeMember({ role })
      const { token } = await this.own.signIn(id)
      this.#credentials.set(caller, token)
      if (caller === 'member') this.#actor = id
      if (caller === 'inactive') await this.own.admin.patch(`/members/${id}`, { status: 'inactive' })
    }
  }

  credential(caller: Caller): string | undefined {
    return this.#credentials.get(caller)
  }

  /** An id of this prefix: one's own, another project's, or of nothing. */
  id(prefix: string, kind: 'own' | 'foreign' | 'missing'): string {
    const own = prefix === 'mem' ? this.#actor : this.#ids.get(prefix)
    if (kind === 'own') return own ?? missingId(prefix)
    return (kind === 'foreign' && this.#foreign.get(prefix)?.[0]) || missingId(prefix)
  }

  /** The member whom keys name as the one who acts. */
  get actor(): string {
    return this.#actor
  }

  /** A cursor that some list has answered. */
  cursor(number: number): string {
    return this.#cursors[number % Math.max(1, this.#cursors.length)] ?? 'bm8gY3Vyc29y'
  }

  /** Keeps the cursor of an answer, for later requests to any list. */
  keepCursor(body: unknown): void {
    const found = /"next_cursor":"([^"]+)"/.exec(JSON.stringify(body) ?? '')?.[1]
    if (found !== undefined) this.#cursors.push(found)
  }

  /** Whether the other project, and the other side of the own one, are as they were. */
  async othersAreUnchanged(): Promise<boolean> {
    return (await this.#theirs()) === this.#before
  }

  #theirs(): Promise<string> {
    return fingerprint(
      this.#api.database,
      this.others.map(({ projectId }) => projectId),
    )
  }

  async #makeKeys(): Promise<void> {
    const limited = await this.own.makeKey({ permissions: ['read:members', 'write:community'] })
    const open = await this.own.makeKey({
      type: 'public',
      capabilities: ['catalog', 'submit', 'track', 'access'],
    })
    const closed = await this.own.makeKey({ type: 'public' })
    this.#credentials.set('admin', this.own.key)
    this.#credentials.set('limited', limited.key)
    this.#credentials.set('public', open.key)
    this.#credentials.set('closed public', closed.key)
    this.#credentials.set('forged', `${this.own.key.slice(0, -4)}0000`)
  }
}
