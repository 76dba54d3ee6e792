import { type Command, Option } from 'commander'
import { tenantOf } from '#areas/projects/service.ts'
import type { MoneyReport } from '#areas/proof/report.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import type { Operator } from './operator.ts'

interface Options {
  readonly environment?: Environment
  readonly accept?: string
  readonly reason?: string
  readonly json?: boolean
}

/** The command that adds up the money of all members. */
export function addProveMoneyCommand(
  project: Command,
  run: (work: (operator: Operator) => Promise<void>) => Promise<void>,
): void {
  const command = project
    .command('prove-money [id]')
    .description(
      'add up what every member paid and what became of it, in all projects or in one; also list data that breaks a rule about money. The command changes nothing, and ends with 1 if money does not add up',
    )
    .addOption(new Option('--environment <name>', 'only this side of the project').choices(['live', 'test']))
    .option(
      '--accept <member>',
      'have the proof count the differences of this member from now on: they were looked into, and cannot be mended',
    )
    .option('--reason <text>', 'why a difference is accepted; it is kept in the audit log')
    .addOption(new Option('--json', 'print the result as one JSON object'))
  command.action((id: string | undefined, options: Options) => {
    const fault = faultOf(id, options)
    if (fault !== undefined) return command.error(`error: ${fault}`)
    return run((operator) => proveMoney(operator, id, options))
  })
}

/** What is wrong with the options. */
function faultOf(id: string | undefined, { environment, accept, reason }: Options): string | undefined {
  if (environment !== undefined && id === undefined) return '--environment needs the id of a project'
  if (accept === undefined) return reason === undefined ? undefined : '--reason needs --accept'
  if (id === undefined || environment === undefined)
    return '--accept needs the id of a project and --environment'
  return reason ? undefined : '--accept needs --reason: say why the difference cannot be mended'
}

async function proveMoney(operator: Operator, id: string | undefined, options: Options): Promise<void> {
  const { reportMoney } = await import('#areas/proof/report.ts')
  const tenants = id === undefined ? undefined : await tenantsOf(operator, id, options.environment)
  const tenant = tenants?.[0]
  const accepted =
    options.accept !== undefined && tenant !== undefined
      ? await accept(operator, tenant, options.accept, options.reason ?? '')
      : 0
  const report = await reportMoney(operator.auditing, tenants)
  if (options.json) console.log(JSON.stringify({ accepted, ...report }))
  else show(report, accepted)
  if (report.different > 0) process.exitCode = 1
}

const tenantsOf = ({ operators }: Operator, id: string, environment: Environment | undefined) =>
  Promise.all(
    (environment === undefined ? (['live', 'test'] as const) : [environment]).map((each) =>
      tenantOf(operators, id, each),
    ),
  )

/** @returns how many differences were accepted */
async function accept(operator: Operator, tenant: string, member: string, reason: string): Promise<number> {
  const { proveMoney: prove } = await import('#areas/proof/service.ts')
  const { acceptDifferences } = await import('#areas/proof/accept.ts')
  const { idFromPath } = await import('#platform/ids.ts')
  const memberId = idFromPath('member', member)
  const { differences } = await prove(operator.auditing, [tenant])
  const accepted = differences.filter(({ member_id }) => member_id === memberId)
  const data = await operator.dataOf(tenant)
  await data.write((ctx) => acceptDifferences(ctx, accepted, reason))
  return accepted.length
}

function show({ proved, different, differences, breaches }: MoneyReport, accepted: number): void {
  if (differences.length > 0) {
    console.log('Money that does not add up, by member and currency:')
    console.table(differences)
  }
  for (const [rule, found] of Map.groupBy(breaches, (each) => each.rule)) {
    console.log(`${rule}: ${found[0]?.means ?? ''}`)
    console.table(found.map(({ rule: _rule, means: _means, ...each }) => each))
  }
  const sums = `${proved} sums of members and currencies were added up`
  const outcome = different === 0 ? 'All of them add up' : `${different} of them do not add up`
  const changed = accepted === 0 ? 'Nothing was changed' : `Differences that were accepted: ${accepted}`
  console.log(`${sums}. ${outcome}. ${changed}.`)
}
