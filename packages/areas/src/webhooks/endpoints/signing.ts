import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

export const SIGNINGS = ['hmac', 'ed25519'] as const
export type Signing = (typeof SIGNINGS)[number]

/** 256 bits, within the 192 to 512 that Standard Webhooks asks for. */
const HMAC_KEY_BYTES = 32
/** DER of an Ed25519 private key (RFC 8410) up to its 32 bytes, and the length of a public key at the end of one. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const ED25519_KEY_BYTES = 32

/** Signs the text `id.timestamp.body`; answers one entry of the header `webhook-signature`. */
export type Signer = (text: string) => string

/** A new signing secret, in the spelling of Standard Webhooks: `whsec_…` or, of Ed25519, `whsk_…`. */
export function makeSecret(signing: Signing): string {
  if (signing === 'hmac') return `whsec_${randomBytes(HMAC_KEY_BYTES).toString('base64')}`
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-ED25519_KEY_BYTES)
  // Seed and public key, as libsodium keeps a secret key.
  return `whsk_${Buffer.concat([seed, publicBytes(privateKey)]).toString('base64')}`
}

/** What a receiver verifies with: the secret itself, or the public key `whpk_…` of an Ed25519 one. */
export function verificationKey(secret: string): string {
  if (secret.startsWith('whsec_')) return secret
  return `whpk_${publicBytes(privateKeyOf(secret)).toString('base64')}`
}

/** Makes the signer of a secret; keys are decoded once. @throws Error where the secret is none */
export function makeSigner(secret: string): Signer {
  if (secret.startsWith('whsec_')) {
    // Made once: from bare bytes, an HMAC takes several times as long.
    const key = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'))
    return (text) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  }
  const key = privateKeyOf(secret)
  return (text) => `v1a,${sign(null, Buffer.from(text), key).toString('base64')}`
}

function privateKeyOf(secret: string): KeyObject {
  if (!secret.startsWith('whsk_')) throw new Error('this is no signing secret')
  const seed = Buffer.from(secret.slice('whsk_'.length), 'base64').subarray(0, ED25519_KEY_BYTES)
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-ED25519_KEY_BYTES)
