import { newUuid, parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'

export type Values = Readonly<Record<string, unknown>>

const now = new Date().toISOString()

/** Rows about money as they lie in the database, whatever anybody says: what a proof has to find. */
export class MoneyRows {
  readonly #api: TestApi
  readonly #side: Side
  #numbers = 0

  constructor(api: TestApi, side: Side) {
    this.#api = api
    this.#side = side
  }

  /** @returns its id */
  async insert(table: string, values: Values): Promise<string> {
    const row: Values = { project_id: this.#side.projectId, id: newUuid(), ...values }
    const columns = Object.keys(row)
    await this.#api.owner.query(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    )
    return row['id'] as string
  }

  async set(table: string, id: string | undefined, column: string, value: unknown): Promise<void> {
    await this.#api.owner.query(`update ${table} set ${column} = $2 where id = $1`, [id, value])
  }

  async member(): Promise<string> {
    return parseId('member', (await this.#side.makeMember()).id) ?? ''
  }

  payment(member_id: string, amount_minor: number, more: Values = {}): Promise<string> {
    return this.insert('payments', {
      ...{ member_id, purpose: 'bill', purpose_id: newUuid(), status: 'succeeded', amount_minor },
      ...{ currency: 'eur', created_at: now },
      ...more,
    })
  }

  async subscription(member_id: string, more: Values = {}): Promise<string> {
    const plan = await this.#side.makePlan({ price: 10, currency: 'eur' })
    return this.insert('subscriptions', {
      ...{ member_id, plan_id: parseId('plan', plan.id), plan_version: 1, status: 'active', periods: 1 },
      ...{ anchor_at: now, period_start: now, period_end: now, started_at: now },
      ...{ created_at: now, updated_at: now },
      ...more,
    })
  }

  /** A bill with one line for each amount. @returns its id, and those of its lines */
  async bill(
    member_id: string,
    status: string,
    amounts: readonly number[],
  ): Promise<{ id: string; lines: string[] }> {
    const subscription_id = await this.subscription(member_id, { status: 'canceled' })
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    const id = await this.insert('bills', {
      ...{ number: ++this.#numbers, subscription_id, member_id, reason: 'first', status, currency: 'eur' },
      ...{
        total_minor: Math.max(0, sum),
        due_at: now,
        created_at: now,
        paid_at: status === 'paid' ? now : null,
      },
    })
    const lines: string[] = []
    for (const [position, amount_minor] of amounts.entries()) {
      const line = { bill_id: id, position, kind: 'period', description: 'Plan', amount_minor }
      lines.push(await this.insert('bill_lines', line))
    }
    return { id, lines }
  }

  /** A bill that was paid, as it should be. */
  async paidBill(member_id: string, amount: number) {
    const made = await this.bill(member_id, 'paid', [amount])
    const payment_id = await this.payment(member_id, amount, { purpose_id: made.id })
    await this.set('bills', made.id, 'payment_id', payment_id)
    return { ...made, payment_id }
  }

  order(member_id: string, more: Values = {}): Promise<string> {
    return this.insert('orders', {
      ...{
        number: newUuid(),
        line_names: '',
        member_id,
        cart_id: newUuid(),
        cart_version: 1,
        status: 'paid',
      },
      ...{ currency: 'eur', subtotal_minor: 500, discount_minor: 0, tax_minor: 0, total_minor: 500 },
      ...{ paid_minor: 500, reserved_until: now, created_at: now, updated_at: now },
      ...more,
    })
  }

  entry(member_id: string, kind: string, amount_minor: number, more: Values = {}): Promise<string> {
    return this.insert('credit_entries', {
      ...{
        member_id,
        currency: 'eur',
        kind,
        amount_minor,
        reason: 'r',
        actor_kind: 'system',
        created_at: now,
      },
      ...more,
    })
  }
}
