import { Ajv, type ErrorObject } from 'ajv'
import { type Static, type TSchema, Type } from 'typebox'
import { Environment } from './environment.ts'
import { readRedisPlace } from './redis/redis-place.ts'
import type { SecretKeys } from './secrets/secret-keys.ts'
import { isAddressRange, isTooWide } from './values/address-range.ts'

/** Variables that are lists, separated by commas. */
type Lists = 'TRUST_PROXY' | 'DATABASE_REPLICA_URL' | 'ALLOW_PRIVATE_NETWORKS' | 'CONSOLE_SSO_DOMAINS'

/** The whole configuration of a process, parsed and checked. Frozen. */
export type Config = Readonly<
  Omit<Static<typeof Environment>, 'BASE_URL' | keyof SecretKeys | Lists> &
    SecretKeys & { BASE_URL: string } & {
      readonly [name in Lists]: string[]
    }
>

/** A variable that is missing or wrong; the message names it, what it was and what was expected. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const check = new Ajv({ strict: false, validateSchema: false, useDefaults: true, allErrors: true }).compile<
  Static<typeof Environment>
>(Environment)

/** Values that may hold a password: named in an error, never shown. */
const SECRET = new Set([
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'OPS_TOKEN',
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
  'CONSOLE_SSO_CLIENT_SECRET',
])

/**
 * The configuration that these variables say.
 * @throws ConfigError that names every wrong variable, one line each
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<TSchema>(Environment.properties)) {
    const text = environment[name]
    // An empty variable is an unset one: compose files and shells produce them.
    if (text !== undefined && text !== '') values[name] = readVariable(text, schema)
  }
  if (!check(values)) {
    const wrong = new Set((check.errors ?? []).map(variableOf))
    throw new ConfigError([...wrong].map((name) => explain(name, environment[name])).join('\n'))
  }
  assertTogether(values, environment)
  const baseUrl = values.BASE_URL ?? `http://${values.HOST}:${values.PORT}`
  return Object.freeze({
    ...values,
    BASE_URL: baseUrl.replace(/\/$/, ''),
    TRUST_PROXY: listed(values.TRUST_PROXY),
    ALLOW_PRIVATE_NETWORKS: listed(values.ALLOW_PRIVATE_NETWORKS),
    DATABASE_REPLICA_URL: listed(values.DATABASE_REPLICA_URL),
    CONSOLE_SSO_DOMAINS: listed(values.CONSOLE_SSO_DOMAINS.toLowerCase()),
  })
}

/** What a variable's text says; the text itself where it does not say anything of that type. */
function readVariable(text: string, schema: TSchema): unknown {
  if (Type.IsInteger(schema) && /^-?\d+$/.test(text)) return Number(text)
  if (Type.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Parts of a comma-separated list. */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const ADDRESSES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'BASE_URL',
  'SMTP_URL',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'STRIPE_API_URL',
  'CONSOLE_SSO_ISSUER',
] as const

/** Different characters of a key that somebody has made by chance; a word that is repeated has fewer. */
const LEAST_DIFFERENT = 10
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Links in mails and the audience of tokens come from it: others must be able to reach it, and nobody to read along. */
function isPublicAddress(baseUrl: string | undefined): boolean {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl)
  return url !== null && (url.protocol === 'https:' || LOOPBACK.has(url.hostname))
}

/** @throws ConfigError for what a pattern cannot say: addresses that are none, and values that do not go together */
function assertTogether(
  values: Static<typeof Environment>,
  environment: Record<string, string | undefined>,
): void {
  const wrong: Variable[] = ADDRESSES.filter((name) => !URL.canParse(values[name] ?? 'x:'))
  if (!/^\/./.test(URL.parse(values.DATABASE_URL)?.pathname ?? '/x')) wrong.push('DATABASE_URL')
  if (values.REDIS_URL !== undefined && !readRedisPlace(values.REDIS_URL)) wrong.push('REDIS_URL')
  // Logins and names in Redis derive from the name of the database.
  const direct = URL.parse(values.DATABASE_DIRECT_URL ?? values.DATABASE_URL)
  if (direct !== null && direct.pathname !== URL.parse(values.DATABASE_URL)?.pathname)
    wrong.push('DATABASE_DIRECT_URL')
  const name = URL.parse(values.DATABASE_URL)?.pathname
  const isReplica = (url: string) => /^postgres(ql)?:\/\//.test(url) && URL.parse(url)?.pathname === name
  if (!listed(values.DATABASE_REPLICA_URL).every(isReplica)) wrong.push('DATABASE_REPLICA_URL')
  // A proxy that is everybody would let each client say which address it has. So would the two halves of everybody.
  const isPart = (range: string) => isAddressRange(range) && !isTooWide(range)
  if (!listed(values.TRUST_PROXY).every(isPart)) wrong.push('TRUST_PROXY')
  if (!listed(values.ALLOW_PRIVATE_NETWORKS).every(isPart)) wrong.push('ALLOW_PRIVATE_NETWORKS')
  // A developer's machine may do this; a server with customers' data may not.
  if (values.NODE_ENV === 'production') {
    if (values.MAILBOX_DIR !== undefined) wrong.push('MAILBOX_DIR')
    if (!isPublicAddress(values.BASE_URL)) wrong.push('BASE_URL')
    if (new Set(values.SECRET_KEY).size < LEAST_DIFFERENT) wrong.push('SECRET_KEY')
  }
  if (values.SECRET_KEY_OLD === values.SECRET_KEY) wrong.push('SECRET_KEY_OLD')
  if (values.SMTP_URL !== undefined && !environment['MAIL_FROM']) wrong.push('MAIL_FROM')
  const { S3_BUCKET, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_BUCKET && (S3_ENDPOINT ?? S3_PUBLIC_ENDPOINT ?? S3_ACCESS_KEY_ID ?? S3_SECRET_ACCESS_KEY))
    wrong.push('S3_BUCKET')
  if (S3_SECRET_ACCESS_KEY && !S3_ACCESS_KEY_ID) wrong.push('S3_ACCESS_KEY_ID')
  if (S3_ACCESS_KEY_ID && !S3_SECRET_ACCESS_KEY) wrong.push('S3_SECRET_ACCESS_KEY')
  wrong.push(...wrongSignOn(values))
  if (wrong.length > 0)
    throw new ConfigError(wrong.map((name) => explain(name, environment[name])).join('\n'))
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/
const MOST_DOMAINS = 100

/** The variables of the single sign-on of operators that do not go together. */
function wrongSignOn(values: Static<typeof Environment>): Variable[] {
  const { CONSOLE_SSO_ISSUER, CONSOLE_SSO_CLIENT_ID, CONSOLE_SSO_CLIENT_SECRET } = values
  const wrong: Variable[] = []
  if (CONSOLE_SSO_ISSUER === undefined && (CONSOLE_SSO_CLIENT_ID ?? CONSOLE_SSO_CLIENT_SECRET) !== undefined)
    wrong.push('CONSOLE_SSO_ISSUER')
  if (CONSOLE_SSO_ISSUER !== undefined && CONSOLE_SSO_CLIENT_ID === undefined)
    wrong.push('CONSOLE_SSO_CLIENT_ID')
  const domains = listed(values.CONSOLE_SSO_DOMAINS.toLowerCase())
  if (domains.length > MOST_DOMAINS || !domains.every((each) => DOMAIN.test(each)))
    wrong.push('CONSOLE_SSO_DOMAINS')
  return wrong
}

type Variable = keyof typeof Environment.properties

const variableOf = ({ params, instancePath }: ErrorObject): Variable =>
  params['missingProperty'] ?? instancePath.split('/')[1]

function explain(name: Variable, value: string | undefined): string {
  const expected = `expected ${(Environment.properties[name] as { description?: string }).description}`
  if (value === undefined || value === '') return `${name} is not set: ${expected}`
  return `${name} is ${SECRET.has(name) ? 'malformed' : JSON.stringify(value)}: ${expected}`
}
