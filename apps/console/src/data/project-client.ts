import { createClient, type Guildhall } from '@guildhall/sdk'
import { callConsole, type Environment } from './console-api.ts'
import { fetchBeyondThePage } from './leaving.ts'

/** Seconds before its end in which an operator token is no longer used. */
const MARGIN_S = 30

interface OperatorToken {
  readonly access_token: string
  readonly expires_in: number
}

const clients = new Map<string, Guildhall>()

/** The data of one side of a project, by an operator token that is renewed in time. */
export function projectClient(projectId: string, environment: Environment): Guildhall {
  const name = `${projectId} ${environment}`
  const known = clients.get(name)
  if (known !== undefined) return known
  const client = createClient({
    baseUrl: location.origin,
    token: tokenSource(projectId, environment),
    fetch: fetchBeyondThePage,
  })
  clients.set(name, client)
  return client
}

/** After a log-out, nothing of the session before is used. */
export function forgetClients(): void {
  clients.clear()
}

function tokenSource(projectId: string, environment: Environment) {
  let kept: { readonly token: string; readonly until: number } | undefined
  let asking: Promise<string> | undefined
  const ask = async (): Promise<string> => {
    const { data } = await callConsole<{ data: OperatorToken }>('POST', `/projects/${projectId}/token`, {
      body: { environment },
    })
    kept = { token: data.access_token, until: Date.now() + (data.expires_in - MARGIN_S) * 1_000 }
    return kept.token
  }
  return async (refused?: string): Promise<string> => {
    if (kept !== undefined && kept.token !== refused && kept.until > Date.now()) return kept.token
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}
