import { Command, InvalidArgumentError, Option } from 'commander'
import { createProject, listProjects, tenantOf, updateSettings } from '#areas/projects/service.ts'
import { DatabaseAddressError } from '#platform/db/database-address.ts'
import { ApiError } from '#platform/errors.ts'
import { idFromPath } from '#platform/ids.ts'
import type { Environment, KeyType } from '#platform/keys/key-format.ts'
import { TIERS } from '#platform/keys/tiers.ts'
import { findPlace, NoDatabase, type Operator, openOperator } from './operator.ts'
import { rightsFault, sentenceOf } from './option-faults.ts'
import { print } from './print.ts'
import { addSigningKeyCommands } from './signing-key.ts'

/** What commands about keys work with. It takes longer to load than the other commands run. */
const loadKeys = async () => ({
  ...(await import('#areas/api-keys/queries.ts')),
  ...(await import('#areas/api-keys/service.ts')),
})

const program = new Command('guildhall')
  .description('Commands for operators of Guildhall')
  .showHelpAfterError('Add --help to show the options.')
const json = new Option('--json', 'print the result as one JSON object')
const projectOption = new Option('--project <id>', 'the id of the project').makeOptionMandatory()
const environmentOption = new Option('--environment <name>', 'live or test')
  .choices(['live', 'test'])
  .makeOptionMandatory()
const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

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

project
  .command('set <id>')
  .description('change the settings of one environment; options that are left out change nothing')
  .addOption(environmentOption)
  .addOption(
    new Option('--email-confirmation <on|off>', 'whether new email addresses must be confirmed').choices([
      'on',
      'off',
    ]),
  )
  .option(
    '--redirect-urls <a,b>',
    'URLs to which links in mails may lead; paths below them are allowed too',
    list,
  )
  .option('--origins <a,b>', 'browser origins from which public keys work', list)
  .option('--timezone <zone>', 'the IANA time zone of the days of the project, like Europe/Berlin')
  .option('--analytics-retention <months>', 'how many months events of analytics are kept', wholeNumber)
  .addOption(
    new Option(
      '--respect-do-not-track <on|off>',
      'whether visitors who ask not to be tracked are not stored',
    ).choices(['on', 'off']),
  )
  .option('--moderator-roles <a,b>', 'roles whose members are moderators', list)
  .option('--report-threshold <n>', 'how many reports hide a post until a moderator decides', wholeNumber)
  .option('--discussion-url <url>', 'where mails lead, with {id} for the discussion; empty: no link')
  .option('--feedback-url <url>', 'where mails lead, with {id} for the item of feedback; empty: no link')
  .addOption(json)
  .action((id, options) =>
    run(async ({ operators }) => {
      const settings = await updateSettings(operators, id, options.environment as Environment, {
        emailConfirmation:
          options.emailConfirmation === undefined ? undefined : options.emailConfirmation === 'on',
        redirectUrls: options.redirectUrls,
        origins: options.origins,
        moderatorRoles: options.moderatorRoles,
        reportThreshold: options.reportThreshold,
        discussionUrl: options.discussionUrl,
        feedbackUrl: options.feedbackUrl,
        timezone: options.timezone,
        analyticsRetentionMonths: options.analyticsRetention,
        respectDoNotTrack:
          options.respectDoNotTrack === undefined ? undefined : options.respectDoNotTrack === 'on',
      })
      print(settings, options.json)
    }),
  )

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
      const made = await operator.inProject(tenant, (ctx) =>
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
      const { listKeys, toRecord } = await loadKeys()
      const keys = (await operator.inProject(tenant, (ctx) => listKeys(ctx))).map(toRecord)
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
      await operator.inProject(tenant, (ctx) => revokeKey(ctx, idFromPath('API key', id)))
      print({ id, revoked: true }, options.json)
    }),
  )

addSigningKeyCommands(program, run)

program
  .command('migrate')
  .description(
    'migrate the database to the newest schema; DATABASE_DIRECT_URL, or DATABASE_URL without it, must have the login of its owner',
  )
  .addOption(json)
  .action(async (options) => {
    const { databaseUrl, directUrl = databaseUrl, secretKey } = await findPlace()
    const { migrate } = await import('#platform/db/migrate.ts')
    print(await migrate({ databaseUrl: directUrl, secretKey }), options.json)
  })

async function run(work: (operator: Operator) => Promise<void>): Promise<void> {
  const operator = openOperator(await findPlace())
  try {
    await work(operator)
  } finally {
    await operator.close()
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('must be a whole number, 1 or more')
  return Number(text)
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds. */
function duration(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d*)([mhd])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('must be a duration like 90d, 12h or 30m')
  return Number(count) * (UNITS[unit] as number)
}

program.parseAsync().catch((error: Error) => {
  const known = [ApiError, NoDatabase, DatabaseAddressError].some((kind) => error instanceof kind)
  console.error(`error: ${known || 'code' in error ? sentenceOf(error) : error.stack}`)
  process.exitCode = 1
})
