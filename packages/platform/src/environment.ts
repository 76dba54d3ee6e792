import { Type } from 'typebox'

/** The environment variables that a process reads; `description` says what is expected, in the error for a wrong one. */
export const Environment = Type.Object({
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'postgres://user@host:port/database',
  }),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'the address of PostgreSQL itself, if DATABASE_URL leads to a pooler; the name of the database must be the same',
    }),
  ),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'postgres://owner:password@host:port/database, the address of PostgreSQL itself with the login of the owner, for workers that export, import and move whole projects',
    }),
  ),
  CELL_NAME: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9-]{0,39}$',
      description: 'what the other cells call this installation, for workers that move projects',
    }),
  ),
  CELL_ENVIRONMENTS: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'a folder with a file NAME.env for each other cell, for workers that move projects: the environment of its processes, with the login of the owner',
    }),
  ),
  DATABASE_REPLICA_URL: Type.String({
    default: '',
    description:
      'postgres://host:port/database of standbys of that PostgreSQL, separated by commas; the name of the database must be the same',
  }),
  REPLICA_MAX_LAG_MS: Type.Integer({
    minimum: 500,
    maximum: 3_600_000,
    default: 10_000,
    description: 'milliseconds that a replica may be behind the primary, from 500 to 3600000',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?(\\+sentinel)?://',
      description:
        'redis://host:port, redis://node:port,node:port, or redis+sentinel://host:port,host:port/name',
    }),
  ),
  SECRET_KEY: Type.String({
    minLength: 32,
    description: 'at least 32 random characters, in production at least 10 different ones',
  }),
  SECRET_KEY_OLD: Type.Optional(
    Type.String({
      minLength: 32,
      description: 'the SECRET_KEY of before a rotation, for 90 days; another one than SECRET_KEY',
    }),
  ),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to listen on' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 3000, description: 'a port from 0 to 65535' }),
  BASE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+(/.*)?$',
      description:
        'https://api.example.com; in production it is required, and http leads to this machine only',
    }),
  ),
  TRUST_PROXY: Type.String({
    default: '',
    description:
      'the addresses or CIDR ranges of your proxies, /8 at the widest, separated by commas; their X-Forwarded-For is used',
  }),
  COUNTRY_HEADER: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9-]*$',
      description:
        'the header in which a proxy of TRUST_PROXY sends the country of the client, like cf-ipcountry',
    }),
  ),
  GEOIP_DATABASE: Type.Optional(
    Type.String({ description: 'the path of an MMDB file with the countries of addresses' }),
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
  ALLOW_PRIVATE_NETWORKS: Type.String({
    default: '',
    description:
      'private addresses or CIDR ranges that URLs of customers may lead to, /8 at the widest, separated by commas, like 10.0.0.0/8',
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
  LIMITS_TIMEOUT_MS: Type.Integer({
    minimum: 5,
    maximum: 10_000,
    default: 50,
    description:
      'milliseconds after which a request is counted in its process because Redis did not answer, from 5 to 10000',
  }),
  SLOW_CLIENT_MS: Type.Integer({
    minimum: 300,
    maximum: 600_000,
    default: 30_000,
    description: 'milliseconds after which a client slower than 8 KiB/s is disconnected, from 300 to 600000',
  }),
  DRAIN_MS: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 200,
    description:
      'milliseconds in which a stopping API still takes requests that were already sent, from 0 to 60000',
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
  CONSOLE_SIGNUP: Type.Union(
    ['closed', 'invited', 'open'].map((mode) => Type.Literal(mode)),
    { default: 'closed', description: 'closed, invited or open: who can become an operator' },
  ),
  CONSOLE_PROJECTS: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 20,
    description: 'projects that an operator can own before making another one; administrators make more',
  }),
  CONSOLE_IDLE_MINUTES: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 1_440,
      description: 'minutes after which an operator who does nothing is logged out, from 5 to 1440',
    }),
  ),
  CONSOLE_SSO_ISSUER: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'the issuer of an OpenID provider for the log-in of operators, like https://login.example.com, together with CONSOLE_SSO_CLIENT_ID',
    }),
  ),
  CONSOLE_SSO_CLIENT_ID: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'the client id that the provider gave you, together with CONSOLE_SSO_ISSUER',
    }),
  ),
  CONSOLE_SSO_CLIENT_SECRET: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'the client secret of CONSOLE_SSO_CLIENT_ID; a public client has none',
    }),
  ),
  CONSOLE_SSO_NAME: Type.String({
    minLength: 1,
    maxLength: 120,
    default: 'single sign-on',
    description: 'the name of the provider on the log-in page, of 1 to 120 characters',
  }),
  CONSOLE_SSO_DOMAINS: Type.String({
    default: '',
    description:
      'the domains of the addresses that can log in by the provider, separated by commas, like example.com; unset: all',
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
  NODE_ENV: Type.Optional(
    Type.Union(
      ['production', 'development', 'test'].map((name) => Type.Literal(name)),
      { description: 'production, development or test' },
    ),
  ),
})
