import type { Api } from '#platform/http/api.ts'
import { ok } from '#platform/http/envelope.ts'
import { hasPermission } from '#platform/http/server/authenticate.ts'
import { DAYS, MOST_NAMED, MOST_PAGES, Simulate, SimulationAnswer } from './schema.ts'
import { simulate } from './simulate.ts'

export function simulationRoutes(api: Api): void {
  api.post(
    '/member-content/simulate',
    {
      config: { access: { secret: 'read:content' } },
      schema: {
        tags: ['Member content'],
        operationId: 'simulateProtectionRule',
        summary: 'See who would gain or lose access by a rule',
        description: [
          `Holds the page views of the last ${DAYS} days that analytics recorded, bots left out, against the active rules, and against the same with a new rule or, with \`rule_id\`, with that rule changed. Nothing is changed.`,
          `At most ${MOST_PAGES} pages are looked at, the most viewed first; a page counts once for each member who looked at it and once for all visitors without a name. At most ${MOST_NAMED} members and ${MOST_NAMED} pages are named on each side; the counts are of all that were looked at.`,
          'Members are named only to keys that may also read members.',
          'Members are judged by what they are now. Free views are not taken into account.',
        ].join(' '),
        body: Simulate,
        response: { 200: SimulationAnswer },
      },
    },
    async (request) => {
      const namesMembers = hasPermission(request, 'read:members')
      return ok(await request.inProject((ctx) => simulate(ctx, request.body, { namesMembers })))
    },
  )
}
