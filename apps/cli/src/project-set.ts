import { type Command, Option } from 'commander'
import { LOST_DISPUTE_ACTS, MEMBER_ACTS } from '#areas/billing/settings/settings.ts'
import { NAME_SOURCES, PROFILE_FIELDS } from '#areas/profiles/settings.ts'
import { COMMAND } from '#areas/projects/acts.ts'
import { tenantOf } from '#areas/projects/service.ts'
import { assertChanges, type LimitsChanges, setLimits } from '#areas/projects/set-limits.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import { LIMIT_NAMES, TIERS } from '#platform/keys/rate-limits.ts'
import { LANGUAGES } from '#platform/values/languages.ts'
import type { Operator } from './operator.ts'
import { list, wholeNumber, wholeNumberOrZero } from './option-values.ts'
import { print } from './print.ts'

/** The values of the options that are given. */
interface Options {
  readonly environment: Environment
  readonly emailConfirmation?: 'on' | 'off'
  readonly redirectUrls?: string[]
  readonly origins?: string[]
  readonly timezone?: string
  readonly language?: string
  readonly certificateUrl?: string
  readonly analyticsRetention?: number
  readonly respectDoNotTrack?: 'on' | 'off'
  readonly moderatorRoles?: string[]
  readonly reportThreshold?: number
  readonly discussionUrl?: string
  readonly feedbackUrl?: string
  readonly profilesPublic?: 'on' | 'off'
  readonly displayNameFrom?: string
  readonly profileFields?: string[]
  readonly billingUrl?: string
  readonly renewalNoticeDays?: number
  readonly retryDays?: number[]
  readonly memberMay?: string[]
  readonly onLostDispute?: string
  readonly tier?: string
  readonly rateLimit?: number | 'default'
  readonly storageQuota?: number | 'default'
  readonly limits?: Record<string, number | null>
  readonly json?: boolean
}

/** The command that changes the settings of one side of a project. */
export function addProjectSet(
  project: Command,
  run: (work: (operator: Operator) => Promise<void>) => Promise<void>,
): void {
  const command = project
    .command('set <id>')
    .description('change the settings of one environment; options that are left out change nothing')
    .addOption(
      new Option('--environment <name>', 'live or test').choices(['live', 'test']).makeOptionMandatory(),
    )
  addMembersOptions(command)
  addCommunityOptions(command)
  addBillingOptions(command)
  addLimitOptions(command)
  command
    .addOption(new Option('--json', 'print the result as one JSON object'))
    .action((id: string, options: Options) => run((operator) => set(operator, id, options)))
}

function addMembersOptions(command: Command): void {
  command
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
    .addOption(new Option('--language <tag>', 'the language of certificates').choices([...LANGUAGES]))
    .option(
      '--certificate-url <url>',
      'where certificates lead to be verified, with {code} for the code; empty: a page of ours',
    )
    .option('--analytics-retention <months>', 'how many months events of analytics are kept', wholeNumber)
    .addOption(
      new Option(
        '--respect-do-not-track <on|off>',
        'whether visitors who ask not to be tracked are not stored',
      ).choices(['on', 'off']),
    )
}

function addCommunityOptions(command: Command): void {
  command
    .option('--moderator-roles <a,b>', 'roles whose members are moderators', list)
    .option('--report-threshold <n>', 'how many reports hide a post until a moderator decides', wholeNumber)
    .option('--discussion-url <url>', 'where mails lead, with {id} for the discussion; empty: no link')
    .option('--feedback-url <url>', 'where mails lead, with {id} for the item of feedback; empty: no link')
    .addOption(
      new Option('--profiles-public <on|off>', 'whether visitors without a log-in see profiles').choices([
        'on',
        'off',
      ]),
    )
    .addOption(
      new Option(
        '--display-name-from <source>',
        'the name of members without a display name; none: "Member" and four letters of the id',
      ).choices([...NAME_SOURCES]),
    )
    .option(
      '--profile-fields <a,b>',
      `what profiles show besides the name: ${PROFILE_FIELDS.join(', ')}; empty: nothing`,
      list,
    )
}

function addBillingOptions(command: Command): void {
  command
    .option('--billing-url <url>', 'the page where members pay; mails lead there; empty: no link')
    .option(
      '--renewal-notice-days <n>',
      'days before a renewal at which its member is notified; 0: never',
      wholeNumberOrZero,
    )
    .option(
      '--retry-days <a,b>',
      'days after a failed renewal at which the card is charged again',
      (text: string) => list(text).map(wholeNumber),
    )
    .option(
      '--member-may <a,b>',
      `what members may do with their own subscriptions: ${MEMBER_ACTS.join(', ')}; empty: nothing`,
      list,
    )
    .addOption(
      new Option('--on-lost-dispute <revoke|keep>', 'whether a lost dispute takes what was paid for').choices(
        [...LOST_DISPUTE_ACTS],
      ),
    )
}

function addLimitOptions(command: Command): void {
  command
    .addOption(
      new Option('--tier <tier>', 'the tier of the project, in both environments').choices([...TIERS]),
    )
    .option('--storage-quota <GiB>', 'storage of files; default: as the tier says', numberOrDefault)
    .option('--rate-limit <n>', 'requests per minute of each key; default: as the tier says', numberOrDefault)
    .option(
      '--limits <a=n,b=n>',
      `other limits per minute: ${LIMIT_NAMES.join(', ')}; a=default sets the default again`,
      (text: string) => Object.fromEntries(list(text).map(limitOf)),
    )
}

const numberOrDefault = (text: string) => (text === 'default' ? text : wholeNumber(text))
/** Null sets the default again. */
const numberOf = (value: number | 'default') => (value === 'default' ? null : value)

/** `analytics=900` as a name and a number. */
function limitOf(text: string): [string, number | null] {
  const [name = '', value = ''] = text.split('=', 2)
  return [name, numberOf(numberOrDefault(value))]
}

const limitsIn = ({ tier, rateLimit, storageQuota, limits }: Options): LimitsChanges => ({
  tier,
  rateLimit: rateLimit && numberOf(rateLimit),
  storageQuota: typeof storageQuota === 'number' ? storageQuota * 1024 ** 3 : storageQuota && null,
  limits,
})

const isOn = (word: 'on' | 'off' | undefined): boolean | undefined =>
  word === undefined ? undefined : word === 'on'

/** Settings of all areas. Loaded when they are needed: most commands change none. */
const loadSettings = () => import('#areas/console/settings/service.ts')

async function set({ operators }: Operator, id: string, options: Options): Promise<void> {
  const changes = {
    ...options,
    emailConfirmation: isOn(options.emailConfirmation),
    profilesPublic: isOn(options.profilesPublic),
    analyticsRetentionMonths: options.analyticsRetention,
    respectDoNotTrack: isOn(options.respectDoNotTrack),
  }
  const limits = limitsIn(options)
  // Before anything is stored: a command changes everything that it names, or nothing.
  assertChanges(limits)
  const { changeSideSettings } = await loadSettings()
  const tenant = await tenantOf(operators, id, options.environment)
  const settings = await changeSideSettings(operators, tenant, changes, { kind: 'operator' })
  const isLimited = Object.values(limits).some((value) => value !== undefined)
  const allowed = isLimited ? await setLimits(operators, id, options.environment, limits, COMMAND) : []
  const limited = allowed.find(({ environment }) => environment === options.environment)
  print({ ...settings, ...limited }, options.json)
}
