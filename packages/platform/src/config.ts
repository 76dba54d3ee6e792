import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readVariable } from './read-variable.ts'
import { isAddressRange } from './values/address-range.ts'

const Environment = Type.Object({
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'postgres://user@host:port/database',
  }),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://', description: 'redis://host:port' })),
  SECRET_KEY: Type.String({ minLength: 32, description: 'at least 32 random characters' }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to listen on' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 3000, description: 'a port from 0 to 65535' }),
  BASE_URL: Type.Optional(
    Type.String({ pattern: '^https?://[^/]+(/.*)?$', description: 'https://api.example.com' }),
  ),
  TRUST_PROXY: Type.String({
    default: '',
    description:
      'the addresses or CIDR ranges of your proxies, separated by commas; their X-Forwarded-For is used',
  }),
  COUNTRY_HEADER: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9-]*$',
      description:
        'the header in which a proxy of TRUST_PROXY sends the country of the client, like cf-ipcountry',
    }),
  ),
  // More connections than PostgreSQL has cores make every request slower: 20 connections on two cores, by an eighth.
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 10,
    description: 'a number from 1 to 500',
  }),
  // Each thread uses up to one core while members log in.
  PASSWORD_THREADS: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'a number from 1 to 64',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'trace, debug, info, warn, error, fatal or silent' },
  ),
  ALLOW_PRIVATE_NETWORKS: Type.Boolean({
    default: false,
    description:
      'true or false; true lets URLs of customers lead to private addresses, and is refused with NODE_ENV=production',
  }),
  SMTP_URL: Type.Optional(
    Type.String({ pattern: '^smtps?://', description: 'smtp://user:password@host:port, or smtps://' }),
  ),
  MAIL_FROM: Type.String({
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    default: 'guildhall@localhost',
    description: 'the sender address of mails, like no-reply@example.com',
  }),
  MAILBOX_DIR: Type.Optional(
    Type.String({
      description: 'a folder for caught mails, which are shown at /dev/mailbox; refused in production',
    }),
  ),
  WORKER_PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 0,
    description: 'the port of /healthz and /metrics of a worker, or 0 for none',
  }),
  LEASE_MS: Type.Integer({
    minimum: 200,
    maximum: 600_000,
    default: 30_000,
    description:
      'milliseconds after which the work of a worker that no longer responds is taken over, from 200 to 600000',
  }),
  SWEEP_MS: Type.Integer({
    minimum: 50,
    maximum: 60_000,
    default: 5_000,
    description: 'milliseconds between two searches for work that was missed, from 50 to 60000',
  }),
  SLOW_CLIENT_MS: Type.Integer({
    minimum: 300,
    maximum: 600_000,
    default: 30_000,
    description: 'milliseconds after which a client slower than 8 KiB/s is disconnected, from 300 to 600000',
  }),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+/?$',
      description: 'https://s3.example.com; the default is Amazon S3 in S3_REGION',
    }),
  ),
  S3_PUBLIC_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+/?$',
      description: 'the address at which browsers reach the object storage, if it is not S3_ENDPOINT',
    }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description:
        'the name of a bucket; without it files cannot be stored, and no other S3_ variable may be set',
    }),
  ),
  S3_REGION: Type.String({ minLength: 1, default: 'us-east-1', description: 'a region like eu-central-1' }),
  S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({ minLength: 1, description: 'an access key, together with S3_SECRET_ACCESS_KEY' }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(
    Type.String({ minLength: 1, description: 'the secret of S3_ACCESS_KEY_ID' }),
  ),
  UPLOAD_LIMIT_MIB: Type.Integer({
    minimum: 1,
    // What S3 takes in one PUT.
    maximum: 5_120,
    default: 100,
    description: 'the size of the largest upload in MiB, from 1 to 5120',
  }),
  STRIPE_API_URL: Type.String({
    pattern: '^https?://[^/]+/?$',
    default: 'https://api.stripe.com',
    description: 'the address of the Stripe API, like https://api.stripe.com',
  }),
  OPS_TOKEN: Type.Optional(
    Type.String({
      minLength: 24,
      description: 'at least 24 random characters; operators need it for /ops/queues',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'http://host:4318, to which traces are sent by OTLP/HTTP',
    }),
  ),
  NODE_ENV: Type.Optional(Type.String({ description: 'production, or anything else' })),
})

/** The whole configuration of a process, parsed and checked. Frozen. */
export type Config = Readonly<
  Omit<Static<typeof Environment>, 'BASE_URL' | 'TRUST_PROXY'> & { BASE_URL: string; TRUST_PROXY: string[] }
>

/** A variable that is missing or wrong; the message names it, what it was and what was expected. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Values that may hold a password: named in an error, never shown. */
const SECRET = new Set([
  'SECRET_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'OPS_TOKEN',
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
])

/**
 * Reads the configuration from the environment.
 * @throws ConfigError that names every wrong variable, one line each
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<TSchema>(Environment.properties)) {
    const text = environment[name]
    // An empty variable is an unset one: compose files and shells produce them.
    if (text !== undefined && text !== '') given[name] = readVariable(text, schema)
  }
  const values = Value.Default(Environment, given)
  if (!Value.Check(Environment, values)) {
    const wrong = new Set(Value.Errors(Environment, values).flatMap((error) => variablesOf(error)))
    throw new ConfigError([...wrong].map((name) => explain(name, environment[name])).join('\n'))
  }
  assertTogether(values, environment)
  const baseUrl = values.BASE_URL ?? `http://${values.HOST}:${values.PORT}`
  return Object.freeze({
    ...values,
    BASE_URL: baseUrl.replace(/\/$/, ''),
    TRUST_PROXY: listed(values.TRUST_PROXY),
  })
}

/** Parts of a comma-separated list. */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const ADDRESSES = [
  'DATABASE_URL',
  'REDIS_URL',
  'BASE_URL',
  'SMTP_URL',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'STRIPE_API_URL',
] as const

/** @throws ConfigError for what a pattern cannot say: addresses that are none, and values that do not go together */
function assertTogether(
  values: Static<typeof Environment>,
  environment: Record<string, string | undefined>,
): void {
  const wrong: Variable[] = ADDRESSES.filter((name) => !URL.canParse(values[name] ?? 'x:'))
  if (!/^\/./.test(URL.parse(values.DATABASE_URL)?.pathname ?? '/x')) wrong.push('DATABASE_URL')
  if (!listed(values.TRUST_PROXY).every(isAddressRange)) wrong.push('TRUST_PROXY')
  // A developer's machine may do this; a server with customers' data may not.
  if (values.NODE_ENV === 'production') {
    if (values.ALLOW_PRIVATE_NETWORKS) wrong.push('ALLOW_PRIVATE_NETWORKS')
    if (values.MAILBOX_DIR !== undefined) wrong.push('MAILBOX_DIR')
  }
  if (values.SMTP_URL !== undefined && !environment['MAIL_FROM']) wrong.push('MAIL_FROM')
  const { S3_BUCKET, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_BUCKET && (S3_ENDPOINT ?? S3_PUBLIC_ENDPOINT ?? S3_ACCESS_KEY_ID ?? S3_SECRET_ACCESS_KEY))
    wrong.push('S3_BUCKET')
  if (S3_SECRET_ACCESS_KEY && !S3_ACCESS_KEY_ID) wrong.push('S3_ACCESS_KEY_ID')
  if (S3_ACCESS_KEY_ID && !S3_SECRET_ACCESS_KEY) wrong.push('S3_SECRET_ACCESS_KEY')
  if (wrong.length > 0)
    throw new ConfigError(wrong.map((name) => explain(name, environment[name])).join('\n'))
}

/** What commands need to find an installation; unset where they look for the launcher's. */
export function readPlace(environment: Record<string, string | undefined> = process.env) {
  const { DATABASE_URL, SECRET_KEY, DATA_DIR } = environment
  return {
    DATABASE_URL: DATABASE_URL || undefined,
    SECRET_KEY: SECRET_KEY || undefined,
    DATA_DIR: DATA_DIR || '.data',
  }
}

type Variable = keyof typeof Environment.properties

function variablesOf(error: { instancePath: string; params?: unknown }): Variable[] {
  const missing = (error.params as { requiredProperties?: Variable[] } | undefined)?.requiredProperties
  return missing ?? [error.instancePath.split('/')[1] as Variable]
}

function explain(name: Variable, value: string | undefined): string {
  const expected = `expected ${(Environment.properties[name] as { description?: string }).description}`
  if (value === undefined || value === '') return `${name} is not set: ${expected}`
  return `${name} is ${SECRET.has(name) ? 'malformed' : JSON.stringify(value)}: ${expected}`
}
