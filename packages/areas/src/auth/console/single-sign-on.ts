import { sql } from 'kysely'
import { Type } from 'typebox'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, nullable } from '#platform/http/envelope.ts'
import { toId } from '#platform/ids.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import type { Config } from '#platform/parse-config.ts'
import { connectionId } from '../ids.ts'
import { findUsable, type UsableConnection } from '../sso/connections/queries.ts'
import { CONSOLE_CALLBACK, CONSOLE_CONNECTION } from '../sso/connections/rows.ts'
import { Callback, forBrowsers, redirectTo, withoutUnknown } from '../sso/login/browser-routes.ts'
import { ssoCallback } from '../sso/login/sso-callback.ts'
import { ConnectionId } from '../sso/schema.ts'
import type { SsoTools } from '../sso/tools.ts'

// Operators log in by one OpenID provider, which the settings of the installation name. Its connection is a row of the project of
// operators, so that their log-ins are those of members.

interface Row {
  readonly id: string
  readonly name: string
  readonly domains: string[]
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: Buffer | null
}

/** Subjects mean something to their provider only: another issuer forgets who was who. */
const dropOtherIssuer = defineQuery('drop_console_connection', (v: { id: string; issuer: string }) =>
  query.deleteFrom('sso_connections').where('id', '=', v.id).where('issuer', '<>', v.issuer),
)

const putConnection = defineQuery('put_console_connection', (v: Row) =>
  query
    .insertInto('sso_connections')
    .values({ ...pick(v, 'id', 'name', 'domains', 'issuer', 'client_id', 'client_secret'), type: 'oidc' })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({
        ...pick(v, 'name', 'domains', 'client_id', 'client_secret'),
        enabled: true,
        updated_at: sql`now()`,
      }),
    ),
)

const disableConnection = defineQuery('disable_console_connection', (v: { id: string }) =>
  query
    .updateTable('sso_connections')
    .set({ enabled: false, updated_at: sql`now()` })
    .where('id', '=', v.id)
    .where('enabled', '=', true),
)

/** Keeps the connection of the console as the settings of this process say. Written when somebody first wants to log in. */
export class ConsoleConnection {
  readonly #asSystem: AreaDeps['asSystem']
  readonly #config: Config
  readonly #box: SsoTools['box']
  #written: Promise<unknown> | undefined

  constructor({ asSystem, config }: Pick<AreaDeps, 'asSystem' | 'config'>, { box }: SsoTools) {
    this.#asSystem = asSystem
    this.#config = config
    this.#box = box
  }

  /** @throws ApiError 503 if the database cannot be reached; the next call tries again */
  async ensure(): Promise<void> {
    this.#written ??= this.#write()
    try {
      await this.#written
    } catch (error) {
      this.#written = undefined
      throw error
    }
  }

  #write(): Promise<unknown> {
    const data = this.#asSystem(OPERATORS_PROJECT, 'console.sso')
    const { CONSOLE_SSO_ISSUER: issuer, CONSOLE_SSO_CLIENT_ID: client_id } = this.#config
    const id = CONSOLE_CONNECTION
    return data.write(async (ctx) => {
      if (issuer === undefined || client_id === undefined) return disableConnection(ctx, { id })
      if (this.#isWritten(await findUsable(ctx, { id }))) return
      const {
        CONSOLE_SSO_NAME: name,
        CONSOLE_SSO_DOMAINS: domains,
        CONSOLE_SSO_CLIENT_SECRET: secret,
      } = this.#config
      const client_secret = secret === undefined ? null : this.#box.seal(secret, id, OPERATORS_PROJECT)
      await dropOtherIssuer(ctx, { id, issuer })
      await putConnection(ctx, { id, name, domains, issuer, client_id, client_secret })
    })
  }

  #isWritten(row: UsableConnection | undefined): boolean {
    if (row === undefined) return false
    const config = this.#config
    const same: [unknown, unknown][] = [
      [row.issuer, config.CONSOLE_SSO_ISSUER],
      [row.client_id, config.CONSOLE_SSO_CLIENT_ID],
      [row.name, config.CONSOLE_SSO_NAME],
      [row.domains.join(), config.CONSOLE_SSO_DOMAINS.join()],
      [this.#secretOf(row), config.CONSOLE_SSO_CLIENT_SECRET],
    ]
    return same.every(([stored, wanted]) => stored === wanted)
  }

  /** The stored secret; undefined where there is none, or where it was sealed with a key that is gone. */
  #secretOf({ id, client_secret }: UsableConnection): string | undefined {
    try {
      return client_secret === null ? undefined : this.#box.open(client_secret, id)
    } catch {
      return undefined
    }
  }
}

const Entry = Type.Object(
  {
    sso: nullable(
      Type.Object(
        {
          id: ConnectionId,
          name: Type.String({ description: 'The name of the provider', examples: ['single sign-on'] }),
        },
        {
          title: 'ConsoleSso',
          description: 'The provider for operators; null: there is none',
        },
      ),
    ),
  },
  { title: 'ConsoleEntry' },
)

/** What the log-in page asks, and where the provider sends browsers back to. */
export function consoleSsoRoutes(
  api: Api,
  deps: AreaDeps,
  tools: SsoTools,
  connection: ConsoleConnection,
): void {
  const { CONSOLE_SSO_ISSUER, CONSOLE_SSO_NAME: name } = deps.config
  const sso = CONSOLE_SSO_ISSUER === undefined ? null : { id: toId(connectionId, CONSOLE_CONNECTION), name }
  api.get(
    '/entry',
    {
      config: { access: { operator: 'entry' } },
      schema: {
        tags: ['Log in'],
        operationId: 'getConsoleEntry',
        summary: 'Get what the log-in page offers',
        description: 'Start a log-in by `sso` with `POST /sso/start`.',
        response: { 200: envelope(Entry) },
      },
    },
    async () => {
      await connection.ensure()
      return { sso }
    },
  )
  // The scope is separate, because errors are pages in it.
  api.register(async (scope) => finishConsoleLoginRoute(scope as unknown as Api, deps, tools))
}

function finishConsoleLoginRoute(api: Api, deps: AreaDeps, tools: SsoTools): void {
  forBrowsers(api, deps)
  api.get(
    CONSOLE_CALLBACK,
    {
      config: { access: 'open' },
      preValidation: withoutUnknown,
      schema: { hide: true, querystring: Callback },
    },
    async (request, reply) => {
      const parameters = request.query
      const answer = { type: 'oidc', parameters } as const
      const came = { state: parameters.state, answer, connectionId: CONSOLE_CONNECTION }
      return redirectTo(reply, await ssoCallback(deps.asSystem, tools, came))
    },
  )
}
