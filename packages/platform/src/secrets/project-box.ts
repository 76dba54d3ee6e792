import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { parse, stringify } from 'uuid'
import { ApiError } from '../errors.ts'
import { keyToOpen, keyToSeal } from './sealing-keys.ts'
import { makeSecretBox, type SecretBox } from './secret-box.ts'
import { allOf, type SecretKeys } from './secret-keys.ts'

const ALGORITHM = 'aes-256-gcm'
/** First byte of what is sealed with the key of a project; 1 is what is sealed with SECRET_KEY itself. */
const VERSION = 2
const ID = 16
const NONCE = 12
const TAG = 16
const HEAD = 1 + ID + NONCE
/** Keys kept at the most, derived for one purpose. */
const KEPT = 10_000

/**
 * Keeps small secrets in the database in a form that the database alone cannot read. What it seals is sealed with a key of the
 * project, which alone is wrapped by SECRET_KEY (docs/decisions/0030): a new SECRET_KEY wraps one row of a project anew.
 */
export interface ProjectBox {
  /**
   * Encrypts a text.
   * @param owner what it belongs to, such as a row's id: it opens for that owner only, so that rows cannot be swapped
   */
  seal(text: string, owner: string, projectId: string): Buffer
  /**
   * @throws Error where it was sealed with another SECRET_KEY, for another purpose or owner, or was changed; ApiError 503 where this
   *   process does not know the key yet
   */
  open(sealed: Buffer, owner: string): string
}

/** Of each process's secrets, the boxes by purpose. */
const boxes = new WeakMap<SecretKeys, Map<string, ProjectBox>>()

/**
 * The box of a purpose; boxes of different purposes cannot open each other's. The same secrets have the same box, so that jobs may
 * ask for it each time: its keys are derived once, and its cache takes a millisecond to make.
 */
export function makeProjectBox(keys: SecretKeys, purpose: string): ProjectBox {
  const made = boxes.get(keys) ?? new Map<string, ProjectBox>()
  boxes.set(keys, made)
  const box = made.get(purpose) ?? newBox(keys, purpose)
  made.set(purpose, box)
  return box
}

function newBox(keys: SecretKeys, purpose: string): ProjectBox {
  const direct = allOf(keys).map((key) => makeSecretBox(key, purpose))
  const derived = new LRUCache<string, KeyObject>({ max: KEPT })
  const keyOf = (projectId: string, key: Buffer): KeyObject => {
    const known = derived.get(projectId)
    if (known !== undefined) return known
    const made = createSecretKey(
      new Uint8Array(hkdfSync('sha256', key, '', `guildhall sealed for a project: ${purpose}`, 32)),
    )
    derived.set(projectId, made)
    return made
  }
  return {
    seal: (text, owner, projectId) => {
      const key = keyToSeal(projectId)
      // The key of a new project is not known everywhere yet. A schedule seals this anew.
      if (key === undefined) return (direct[0] as SecretBox).seal(text, owner)
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(ALGORITHM, keyOf(projectId, key), nonce)
      cipher.setAAD(Buffer.from(`${projectId} ${owner}`))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), parse(projectId), nonce, body, cipher.getAuthTag()])
    },
    open: (sealed, owner) => {
      if (sealed[0] !== VERSION) return firstThatOpens(direct, sealed, owner)
      if (sealed.length < HEAD + TAG) throw new Error('this is not a sealed secret')
      const projectId = stringify(sealed.subarray(1, 1 + ID))
      const key = keyToOpen(projectId)
      if (key === undefined) throw notKnownYet()
      const nonce = sealed.subarray(1 + ID, HEAD)
      const decipher = createDecipheriv(ALGORITHM, keyOf(projectId, key), nonce, { authTagLength: TAG })
      decipher.setAAD(Buffer.from(`${projectId} ${owner}`)).setAuthTag(sealed.subarray(-TAG))
      return Buffer.concat([decipher.update(sealed.subarray(HEAD, -TAG)), decipher.final()]).toString('utf8')
    },
  }
}

/** Whether something is sealed with the key of its project. */
export const isSealedByProject = (sealed: Buffer): boolean => sealed[0] === VERSION

/** Opens what is sealed with SECRET_KEY itself: the present one, or another that is accepted. @throws Error where none fits */
export const openByAny = (keys: SecretKeys, purpose: string, sealed: Buffer, owner: string): string =>
  firstThatOpens(
    allOf(keys).map((key) => makeSecretBox(key, purpose)),
    sealed,
    owner,
  )

function firstThatOpens(boxes: readonly SecretBox[], sealed: Buffer, owner: string): string {
  let fault: unknown
  for (const box of boxes) {
    try {
      return box.open(sealed, owner)
    } catch (error) {
      fault ??= error
    }
  }
  throw fault
}

const notKnownYet = () =>
  new ApiError(503, 'UNAVAILABLE', 'The keys of this project are not read yet: try again soon', {
    headers: { 'retry-after': '2' },
  })
