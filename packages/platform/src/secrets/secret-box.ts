import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
/** First byte of what is sealed, so that the format can change one day. */
const VERSION = 1
const NONCE_LENGTH = 12
const TAG_LENGTH = 16

/** Keeps small secrets in the database in a form that the database alone cannot read. */
export interface SecretBox {
  /**
   * Encrypts a text.
   * @param owner what it belongs to, such as a row's id: it opens for that owner only, so that rows cannot be swapped
   */
  seal(text: string, owner: string): Buffer
  /** @throws Error where it was sealed with another SECRET_KEY, for another purpose or owner, or was changed */
  open(sealed: Buffer, owner: string): string
}

/**
 * A box whose key (AES-256-GCM) derives from SECRET_KEY by HKDF-SHA256; boxes of different purposes cannot open each
 * other's.
 */
export function makeSecretBox(secretKey: string, purpose: string): SecretBox {
  // A key that is bytes is made anew for each use, which takes twice as long as the rest.
  const key = createSecretKey(
    new Uint8Array(hkdfSync('sha256', secretKey, '', `guildhall secret box: ${purpose}`, 32)),
  )
  return {
    seal: (text, owner) => {
      const nonce = randomBytes(NONCE_LENGTH)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, body, cipher.getAuthTag()])
    },
    open: (sealed, owner) => {
      if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_LENGTH + TAG_LENGTH)
        throw new Error('this is not a sealed secret')
      const nonce = sealed.subarray(1, 1 + NONCE_LENGTH)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_LENGTH })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(-TAG_LENGTH))
      const body = sealed.subarray(1 + NONCE_LENGTH, -TAG_LENGTH)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
