import { createClient, type Guildhall } from '@guildhall/sdk'
import { callConsole, type Environment } from './console-api.ts'
import { fetchBeyondThePage } from './leaving.ts'
import { recorded } from './recorded-calls.ts'

/** Seconds before its end in which an operator token is no longer used. */
const MARGIN_S = 30

interface OperatorToken {
  readonly access_token: string
  readonly expires_in: number
}

interface Side {
  readonly client: Guildhall
  /** @returns an operator token that is not the refused one */
  readonly token: (refused?: string) => Promise<string>
}

const sides = new Map<string, Side>()

/** The data of one side of a project, by an operator token that is renewed in time. */
export const projectClient = (projectId: string, environment: Environment): Guildhall =>
  sideOf(projectId, environment).client

/** Asks for the operator token of a side before its data is asked for. What fails is asked for again with the data. */
export const prefetchToken = (projectId: string, environment: Environment): Promise<unknown> =>
  sideOf(projectId, environment)
    .token()
    .catch(() => undefined)

function sideOf(projectId: string, environment: Environment): Side {
  const name = `${projectId} ${environment}`
  const known = sides.get(name)
  if (known !== undefined) return known
  const token = tokenSource(projectId, environment)
  const client = recorded(createClient({ baseUrl: location.origin, token, fetch: fetchBeyondThePage }))
  const side = { client, token }
  sides.set(name, side)
  return side
}

/** Counts the sessions, and the roles that have changed within one. */
let session = 0

/** After a log-out, nothing of the session before is used, also by who holds a client of before. */
export function forgetTokens(): void {
  session += 1
}

function tokenSource(projectId: string, environment: Environment) {
  let kept: { readonly token: string; readonly until: number; readonly of: number } | undefined
  let asking: Promise<string> | undefined
  const ask = async (): Promise<string> => {
    const of = session
    const { data } = await callConsole<{ data: OperatorToken }>('POST', `/projects/${projectId}/token`, {
      body: { environment },
    })
    kept = { token: data.access_token, until: Date.now() + (data.expires_in - MARGIN_S) * 1_000, of }
    return kept.token
  }
  return async (refused?: string): Promise<string> => {
    if (kept?.of === session && kept.token !== refused && kept.until > Date.now()) return kept.token
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}
