/** What a signed text says, and what signed it. */
interface Jws {
  readonly header: { readonly alg?: unknown; readonly typ?: unknown; readonly kid?: unknown }
  readonly payload: Readonly<Record<string, unknown>>
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Milliseconds between two requests for the keys: an unknown key id causes one request, and not one each time. */
const ASK_AGAIN_MS = 30_000

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** Checks what an installation has signed, with the keys that it publishes. */
export class Signatures {
  readonly #fetchKeys: () => Promise<Response>
  #keys = new Map<string, CryptoKey>()
  #askedAt = Number.NEGATIVE_INFINITY

  /** @param fetchKeys gets `/.well-known/jwks.json` */
  constructor(fetchKeys: () => Promise<Response>) {
    this.#fetchKeys = fetchKeys
  }

  /**
   * @param type the `typ` of the signed text: nothing else that was signed with the same key is taken for it
   * @returns what it says; undefined where it is not signed by the installation, or is something else
   * @throws Error where the keys cannot be read
   */
  async verify(text: string, type: string): Promise<Jws['payload'] | undefined> {
    const jws = read(text)
    if (jws === undefined || jws.header.alg !== 'ES256' || jws.header.typ !== type) return undefined
    const key = await this.#keyOf(String(jws.header.kid))
    if (key === undefined) return undefined
    const isSigned = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      jws.signature,
      jws.signed,
    )
    return isSigned ? jws.payload : undefined
  }

  async #keyOf(id: string): Promise<CryptoKey | undefined> {
    if (!this.#keys.has(id) && Date.now() - this.#askedAt > ASK_AGAIN_MS) await this.#ask()
    return this.#keys.get(id)
  }

  async #ask(): Promise<void> {
    const answer = await this.#fetchKeys()
    if (!answer.ok) throw new Error(`the keys of the installation cannot be read: ${answer.status}`)
    const { keys } = (await answer.json()) as { keys: (JsonWebKey & { kid: string })[] }
    const usable = keys.filter(({ kty, crv }) => kty === 'EC' && crv === 'P-256')
    const imported = usable.map(
      async (key) => [key.kid, await crypto.subtle.importKey('jwk', key, ES256, false, ['verify'])] as const,
    )
    this.#keys = new Map(await Promise.all(imported))
    this.#askedAt = Date.now()
  }
}

/** The parts of a JWS in compact form; undefined for another text. */
function read(text: string): Jws | undefined {
  const [header, payload, signature, ...others] = text.split('.')
  if (header === undefined || payload === undefined || signature === undefined || others.length > 0)
    return undefined
  try {
    return {
      header: JSON.parse(decode(header)),
      payload: JSON.parse(decode(payload)),
      signed: new TextEncoder().encode(`${header}.${payload}`),
      signature: bytesOf(signature),
    }
  } catch {
    return undefined
  }
}

/** The payload of a token that somebody else verifies; undefined where it has none. */
export function payloadOf(token: string): Jws['payload'] | undefined {
  return read(token)?.payload
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

const decode = (base64url: string): string => new TextDecoder().decode(bytesOf(base64url))
