import { type Static, Type } from 'typebox'

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })
const Day = Type.String({ description: 'The day, in the time zone of the project', examples: ['2026-11-21'] })

export const Overview = Type.Object(
  {
    timezone: Type.String({
      description: 'The time zone of the project: days begin and end by it',
      examples: ['Europe/Berlin'],
    }),
    members: Type.Object(
      {
        total: Count('All members that are not deleted'),
        active: Count('Those with the status `active`'),
        pending: Count('Those who have not confirmed their address'),
        inactive: Count('Those with the status `inactive`'),
      },
      { title: 'OverviewMembers', description: 'Members by status' },
    ),
    subscriptions: Type.Array(
      Type.Object(
        {
          currency: Type.String({ description: 'The currency', examples: ['eur'] }),
          mrr: Type.Number({ description: 'Monthly recurring revenue now', examples: [1290] }),
        },
        { title: 'OverviewRevenue' },
      ),
      { description: 'Monthly recurring revenue in each currency' },
    ),
    webhooks: Type.Object(
      {
        endpoints: Count('Webhooks that are enabled'),
        failing: Count('Enabled webhooks whose deliveries all fail now'),
        disabled: Count('Webhooks that are disabled'),
        pending_deliveries: Count('Deliveries that wait to be sent again; counting stops at 1,000'),
        failed_deliveries: Count('Deliveries that were given up in the last 24 hours'),
      },
      { title: 'OverviewWebhooks', description: 'The state of webhooks' },
    ),
    submissions: Type.Object(
      { received: Count('Submissions of all forms'), spam: Count('Submissions that look like spam') },
      { title: 'OverviewSubmissions', description: 'Submissions of forms' },
    ),
    days: Type.Array(
      Type.Object(
        {
          date: Day,
          sign_ups: Count('Members who were created'),
          orders: Count('Orders that were paid'),
          submissions: Count('Submissions that were received'),
          failed_deliveries: Count('Deliveries to webhooks that were given up'),
          revenue: Type.Array(
            Type.Object(
              {
                currency: Type.String({ description: 'The currency', examples: ['eur'] }),
                amount: Type.Number({ description: 'Payments less refunds', examples: [129.9] }),
              },
              { title: 'OverviewAmount' },
            ),
            { description: 'Payments less refunds, in each currency' },
          ),
        },
        { title: 'OverviewDay' },
      ),
      { description: 'The last 30 days, the oldest first' },
    ),
  },
  { title: 'Overview' },
)
export type Overview = Static<typeof Overview>
