import { reportTooLarge } from '#areas/analytics/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf, hasPermission } from '#platform/http/caller.ts'
import { DAYS, MOST_NAMED, MOST_PAGES, Simulate, SimulationAnswer } from './schema.ts'
import { readFacts, type SimulationParts, simulate } from './simulate.ts'

export function simulationRoutes(api: Api, parts: SimulationParts): void {
  api.post(
    '/member-content/simulate',
    {
      config: {
        access: { secret: 'read:content' },
        reads: 'report',
        onlyReads: true,
        errors: [reportTooLarge],
      },
      schema: {
        operationId: 'simulateProtectionRule',
        summary: 'Simulate a new or changed rule',
        description: [
          `The simulation checks the page views of the last ${DAYS} days, without bots, twice: with the present active rules, and with a new rule or, with \`rule_id\`, with a changed rule. It changes nothing.`,
          `It checks at most ${MOST_PAGES} pages, the most viewed first. A page counts once for each member who viewed it, and once for all anonymous visitors. The answer names at most ${MOST_NAMED} members and ${MOST_NAMED} pages on each side; the counts include everything that was checked.`,
          'Members are named only if the key has `read:members`.',
          'The present status and plan of each member are used. Free views are not considered.',
        ].join(' '),
        body: Simulate,
        response: { 200: SimulationAnswer },
      },
    },
    async (request) => {
      const namesMembers = hasPermission(request, 'read:members')
      const facts = await readFacts(request, parts, request.body)
      const slices = parts.turns.begin({ projectId: callerOf(request).projectId })
      return simulate(facts, { namesMembers, slices })
    },
  )
}
