import type { Routes } from '#platform/http/api.ts'
import { checkRoutes } from './checks/routes.ts'
import { RuleStore } from './checks/rule-store.ts'
import { Manifests } from './edge/manifest.ts'
import { PageGrants } from './edge/page-grants.ts'
import { manifestRoutes } from './edge/routes.ts'
import { ruleRoutes } from './rules/routes.ts'
import { simulationRoutes } from './simulations/routes.ts'

export const memberContentRoutes: Routes = (api, { asSystem, feed, signingKeys, config, turns, reports }) => {
  const rules = new RuleStore(feed, turns)
  ruleRoutes(api, rules)
  simulationRoutes(api, { asSystem, rules, turns, reports })
  checkRoutes(api, { rules, grants: new PageGrants(signingKeys, config.BASE_URL), turns })
  manifestRoutes(api, rules, new Manifests(signingKeys, config.BASE_URL, turns))
}
