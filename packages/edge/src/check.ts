/** What the API says about a page. */
export interface Decision {
  readonly allowed: boolean
  readonly reason: string
  readonly redirect_url: string | null
  readonly grant?: string
}

interface Asked {
  readonly url: string
  /** Of the member; undefined for a visitor. */
  readonly token: string | undefined
  /** Asks for visitors. */
  readonly key: string
}

/**
 * Asks the API whether a visitor may see a page. A token that has ended is a visitor's request.
 * @throws Error where the API gives no decision
 */
export async function askForPage(
  call: (path: string, init: RequestInit) => Promise<Response>,
  { url, token, key }: Asked,
): Promise<Decision> {
  const ask = (credential: string) =>
    call('/api/v1/member-content/check', {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, grant: true }),
    })
  let answer = await ask(token ?? key)
  if (answer.status === 401 && token !== undefined) answer = await ask(key)
  if (!answer.ok) throw new Error(`the check of a page failed: ${answer.status}`)
  return ((await answer.json()) as { data: Decision }).data
}
