import { Gauge, type Registry } from 'prom-client'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { RULES } from './rules.ts'
import { findBreaches, proveMoney } from './service.ts'

/** What one line of the log names; the command names all. */
const LOGGED = 20

/**
 * Adds up the money of all members each night, and looks for data that breaks a rule about money. Nothing is changed: an
 * operator is notified by metrics, and by `guildhall project prove-money`.
 */
export const proveMoneyEachNight = defineSchedule({
  name: 'proof.prove-money',
  every: '30 3 * * *',
  run: async ({ auditing, deps, log }) => {
    const { proved, different, differences } = await proveMoney(auditing)
    const breaches = await findBreaches(auditing)
    const gauge = gaugeOf(deps.metrics.registry)
    gauge.set({ kind: 'difference' }, different)
    for (const { name } of RULES)
      gauge.set({ kind: name }, breaches.filter(({ rule }) => rule === name).length)
    log.info({ proved, different, breaches: breaches.length }, 'the money of all members was added up')
    if (different > 0)
      log.error({ differences: differences.slice(0, LOGGED), different }, 'money does not add up')
  },
})

function gaugeOf(registry: Registry): Gauge<'kind'> {
  const known = registry.getSingleMetric('guildhall_money_faults') as Gauge<'kind'> | undefined
  return (
    known ??
    new Gauge({
      name: 'guildhall_money_faults',
      help: 'The result of the last proof of money: `difference`, members whose money does not add up; others, data that breaks a rule',
      labelNames: ['kind'] as const,
      registers: [registry],
    })
  )
}
