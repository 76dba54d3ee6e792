import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** A member who can be written to, with what all mails of billing read of the project. */
const recipients = () =>
  query
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .leftJoin('billing_settings as s', 's.project_id', 'm.project_id')
    .select(['m.email', 'm.full_name', 'p.timezone', 's.billing_url'])
    .where('m.deleted_at', 'is', null)

/**
 * The payer of a bill, the name of a plan, and how bills are paid by hand. Undefined where the payer is gone.
 * @param plan null where the plan needs no name
 */
export const findPayer = defineQuery(
  'payer_of_bill',
  (v: { member: string; account: string | null; plan: string | null }) =>
    recipients()
      .select([
        sql<string | null>`(select name from plans where id = ${v.plan}::uuid)`.as('plan'),
        sql<string | null>`(select a.settings->>'instructions' from payment_accounts a
          where a.id = ${v.account}::uuid and a.provider = 'manual' and jsonb_typeof(a.settings->'instructions') = 'string')`.as(
          'instructions',
        ),
      ])
      .where('m.id', '=', v.member),
).first()

/** A subscriber, with the plan of the present period and the price of the next one. Undefined where the member is gone. */
export const findSubscriber = defineQuery(
  'subscriber_to_mail',
  (v: { member: string; plan: string; next: string; version: number }) =>
    recipients()
      .innerJoin('plans as now', (on) => on.on('now.id', '=', v.plan))
      .innerJoin('plans as next', (on) => on.on('next.id', '=', v.next))
      .innerJoin('plan_versions as price', (on) =>
        on.onRef('price.plan_id', '=', 'next.id').on('price.version', '=', v.version),
      )
      .select(['now.name as plan', 'next.name as next_plan'])
      .select(['price.price_minor', 'price.currency', 'price.interval', 'price.interval_count'])
      .where('m.id', '=', v.member),
).first()
