import { Command, Option } from 'commander'
import { NoPrograms } from '#areas/projects/backup/programs.ts'
import { createProject, listProjects, tenantOf } from '#areas/projects/service.ts'
import { DatabaseAddressError } from '#platform/doctor/database-address.ts'
import { ApiError } from '#platform/errors.ts'
import { ValueFileError } from '#platform/files-as-values.ts'
import { idFromPath } from '#platform/ids.ts'
import type { Environment, KeyType } from '#platform/keys/key-format.ts'
import { TIERS } from '#platform/keys/rate-limits.ts'
import { causeOfRefusal } from '#platform/migrate/assert-installation.ts'
import { NotReadyToRotate } from '#platform/migrate/rotate-secret-key.ts'
import { SecretKeyError } from '#platform/migrate/secret-key.ts'
import { VERSION } from '#platform/version.ts'
import { addBackupCommands } from './backup.ts'
import { addCellCommands } from './cells.ts'
import { addCheckRulesCommand } from './check-rules.ts'
import { addDoctorCommand } from './doctor.ts'
import { findPlace, NoDatabase, type Operator, openOperator } from './operator.ts'
import { addOperatorCommands } from './operators.ts'
import { isWithoutPassword, rightsFault, sentenceOf } from './option-faults.ts'
import { duration, list, wholeNumber } from './option-values.ts'
import { print } from './print.ts'
import { addProjectMove } from './project-move.ts'
import { addProjectReports } from './project-reports.ts'
import { addProjectSet } from './project-set.ts'
import { addProjectState } from './project-state.ts'
import { addProjectTransfer } from './project-transfer.ts'
import { addProveMoneyCommand } from './prove-money.ts'
import { addSecretKeyCommands } from './secret-key.ts'
import { addSeedCommand, NoDemo } from './seed-command.ts'
import { addSigningKeyCommands } from './signing-key.ts'
import { addWhyCommand } from './why.ts'

/** What commands about keys work with. It takes longer to load than the other commands run. */
const loadKeys = async () => ({
  ...(await import('#areas/api-keys/queries.ts')),
  ...(await import('#areas/api-keys/service.ts')),
})

const program = new Command('guildhall')
  .description('Commands for operators of Guildhall')
  .version(VERSION)
  .showHelpAfterError('Add --help to show the options.')
const json = new Option('--json', 'print the result as one JSON object')
const projectOption = new Option('--project <id>', 'the id of the project').makeOptionMandatory()
const environmentOption = new Option('--environment <name>', 'live or test')
  .choices(['live', 'test'])
  .makeOptionMandatory()

const project = program.command('project').description('create and list projects')
project
  .command('create')
  .requiredOption('--name <name>', 'a name for people')
  .addOption(new Option('--tier <tier>', 'the tier of the project').choices([...TIERS]).default('free'))
  .option('--rate-limit <n>', 'requests per minute for each key; default: as the tier says', wholeNumber)
  .option(
    '--storage-quota <GiB>',
    'storage for each environment; default: as the tier says',
    (text: string) => wholeNumber(text) * 1024 ** 3,
  )
  .addOption(json)
  .action((options) =>
    run(async ({ operators }) => {
      const made = await createProject(operators, {
        name: options.name,
        tier: options.tier,
        rateLimit: options.rateLimit,
        storageQuota: options.storageQuota,
      })
      print(made, options.json)
    }),
  )
project
  .command('list')
  .addOption(json)
  .action((options) =>
    run(async ({ operators }) => {
      const projects = await listProjects(operators)
      print(options.json ? { projects } : projects, options.json)
    }),
  )

addProjectSet(project, run)
addProjectState(project, run)
addProjectReports(project, run)
addProjectTransfer(project)
addProjectMove(project)

addProveMoneyCommand(project, run)
addCheckRulesCommand(project, run)

const key = program.command('key').description('create, list and revoke API keys')
key
  .command('create')
  .addOption(projectOption)
  .addOption(environmentOption)
  .addOption(new Option('--type <type>').choices(['public', 'secret']).makeOptionMandatory())
  .requiredOption('--name <name>', 'the purpose of the key')
  .option('--permissions <a,b>', 'what a secret key may do; required for a secret key', list)
  .option('--capabilities <a,b>', 'what a public key may do in addition to auth', list)
  .option('--allowed-ips <a,b>', 'addresses and CIDR ranges that may use the key', list)
  .option('--allowed-origins <a,b>', 'browser origins that may use the key', list)
  .option('--expires-in <duration>', 'when the key expires, like 90d, 12h or 30m', duration)
  .addOption(json)
  .action((options) => {
    const fault = rightsFault(options)
    if (fault !== undefined) program.error(`error: ${fault}`)
    return run(async (operator) => {
      const tenant = await tenantOf(operator.operators, options.project, options.environment)
      const { createKey } = await loadKeys()
      const { permissionsOf } = await import('#platform/area.ts')
      const { areas } = await import('#areas/areas.ts')
      const data = await operator.dataOf(tenant)
      const made = await data.write((ctx) =>
        createKey(
          ctx,
          options.environment as Environment,
          {
            type: options.type as KeyType,
            name: options.name,
            permissions: options.permissions,
            capabilities: options.capabilities,
            allowed_ips: options.allowedIps,
            allowed_origins: options.allowedOrigins,
            expires_at: options.expiresIn === undefined ? null : new Date(Date.now() + options.expiresIn),
            created_by: 'operator',
          },
          permissionsOf(areas),
        ),
      )
      print(made, options.json)
    })
  })
key
  .command('list')
  .addOption(projectOption)
  .addOption(environmentOption)
  .addOption(json)
  .action((options) =>
    run(async (operator) => {
      const tenant = await tenantOf(operator.operators, options.project, options.environment)
      const { listKeys } = await loadKeys()
      const { keys } = await (await operator.dataOf(tenant)).read({ keys: listKeys() })
      print(options.json ? { keys } : keys, options.json)
    }),
  )
key
  .command('revoke <id>')
  .addOption(projectOption)
  .addOption(environmentOption)
  .addOption(json)
  .action((id, options) =>
    run(async (operator) => {
      const tenant = await tenantOf(operator.operators, options.project, options.environment)
      const { revokeKey } = await loadKeys()
      const data = await operator.dataOf(tenant)
      await data.write((ctx) => revokeKey(ctx, idFromPath('API key', id)))
      print({ id, revoked: true }, options.json)
    }),
  )

addSigningKeyCommands(program, run)
addSecretKeyCommands(program)
addCellCommands(program)
addOperatorCommands(program, run)
addBackupCommands(program, run)
addDoctorCommand(program)
addWhyCommand(program, run)
addSeedCommand(program, json)

program
  .command('migrate')
  .description(
    'migrate the database to the newest schema; DATABASE_DIRECT_URL, or DATABASE_URL without it, must have the login of its owner',
  )
  .option('--plan', 'print what would be done, what it locks and for how long, and change nothing')
  .option('--contract', 'also take away what only the version before uses; no process of it may run any more')
  .option(
    '--wait <seconds>',
    'migrate nothing, and wait until another process has done it; DATABASE_URL then needs no login of the owner',
    wholeNumber,
  )
  .option(
    '--replace-secret-key',
    'take over another SECRET_KEY than the database has; what the old one sealed cannot be read any more',
  )
  .addOption(json)
  .action(async (options) => {
    const { databaseUrl, directUrl = databaseUrl, secretKey } = await findPlace()
    if (options.wait !== undefined) {
      const { awaitMigrations } = await import('#platform/migrate/await-migrations.ts')
      await awaitMigrations({ databaseUrl, secretKey, timeoutMs: options.wait * 1_000 })
      return print({ migrated: true }, options.json)
    }
    const { migrate, planMigrations } = await import('#platform/migrate/migrate.ts')
    const place = { databaseUrl: directUrl, secretKey, contract: options.contract === true }
    if (!options.plan)
      return print(
        await migrate({
          ...place,
          replaceSecretKey: options.replaceSecretKey === true,
        }),
        options.json,
      )
    const plan = await planMigrations(place)
    if (options.json) return print(plan, true)
    if (plan.of_newer_version.length > 0) print({ of_newer_version: plan.of_newer_version }, false)
    if (plan.recorded.length > 0) print({ recorded: plan.recorded }, false)
    print(plan.steps.length === 0 ? { steps: 'nothing to do' } : [...plan.steps], false)
    print(
      { no_way_back_from: plan.no_way_back_from ?? 'nowhere: the version before runs on every step' },
      false,
    )
  })

async function run(work: (operator: Operator) => Promise<void>): Promise<void> {
  const operator = openOperator(await findPlace())
  try {
    await work(operator)
  } finally {
    await operator.close()
  }
}

program.parseAsync().catch((error: Error) => {
  const cause = causeOfRefusal(error)
  const rest = cause === undefined ? '' : `. ${cause}`
  const known = [
    ApiError,
    NoDatabase,
    NoDemo,
    NoPrograms,
    DatabaseAddressError,
    SecretKeyError,
    NotReadyToRotate,
    ValueFileError,
  ].some((kind) => error instanceof kind)
  console.error(
    `error: ${known || 'code' in error || isWithoutPassword(error) ? sentenceOf(error) + rest : error.stack}`,
  )
  // PostgreSQL keeps a connection that gave no password for a minute, and with it this process.
  process.exit(1)
})
