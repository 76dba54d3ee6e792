import { randomBytes, randomInt } from 'node:crypto'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { type CheckedHash, type KeyedHash, makeCheckedHash } from '#platform/secrets/keyed-hash.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { emailKey, type SignUpInput } from '../member-queries.ts'
import { isChallengeOf } from './code-challenge.ts'
import {
  dropToken,
  type Purpose,
  putToken,
  setLinkAndCode,
  type TokenRow,
  takeToken,
  tryCode,
} from './queries.ts'
import { hashToken } from './refresh-token.ts'

/** How somebody proves that they got a mail: by the token of its link, or by its code. */
export type Proof = ({ readonly token: string } | { readonly email: string; readonly code: string }) & {
  /** The code verifier, if the mail was requested with a code challenge. */
  readonly codeVerifier?: string
}

/** What a token was issued for. */
export interface VerifiedToken {
  readonly purpose: string
  readonly email: string | null
  readonly memberId: string | null
  readonly redirectUrl: string | null
  readonly details: Record<string, unknown>
  /** The sign-up whose code was sent. */
  readonly signUp?: SignUpInput
}

/** The data of a sign-up, kept with its token until the code or the link is used. */
interface SignUpDetails {
  readonly full_name: string
  readonly metadata: Record<string, unknown>
}

const PROJECT_BYTES = 16

/** A token for links: the id of the project, which our own page needs, and 256 random bits. */
export function newLinkToken(projectId: string): string {
  const project = Buffer.from(projectId.replaceAll('-', ''), 'hex')
  return Buffer.concat([project, randomBytes(32)]).toString('base64url')
}

/** The project in the token of a link, or undefined if it is no token. Only the hash of the token proves it. */
export function projectOfToken(token: string): string | undefined {
  if (!/^[\w-]{64}$/.test(token)) return undefined
  const hex = Buffer.from(token, 'base64url').subarray(0, PROJECT_BYTES).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * The token of a link and a 6-digit code for a mail, and what is stored of them.
 * @param id the id of the stored token
 */
export function newLinkAndCode(projectId: string, codeHash: KeyedHash, id: string) {
  const token = newLinkToken(projectId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return { token, code, tokenHash: hashToken(token), codeHash: codeHash(textOf(id, code)) }
}

/** Hashes the codes of mails: they are so short that a plain hash could be tried out. */
export const makeCodeHash = (keys: SecretKeys): CheckedHash => makeCheckedHash(keys, 'codes in mails')

/** Whether a code is the one that was sent for an id. */
export const isCode = (codeHash: CheckedHash, sent: { id: string; code_hash: Buffer | null }, code: string) =>
  sent.code_hash !== null && codeHash.matches(sent.code_hash, textOf(sent.id, code))

const textOf = (id: string, code: string) => `${id} ${code}`

interface NewToken {
  readonly purpose: Purpose
  /** An address in lower case, or an id. */
  readonly subject: string
  readonly email?: string
  readonly memberId?: string
  readonly redirectUrl?: string | null
  readonly details?: object
  /** Only for a sign-up. */
  readonly passwordHash?: string | undefined
  /** The challenge that the code verifier must match. */
  readonly codeChallenge?: string | undefined
}

/** Issues a token at once. An older token for the same purpose and subject stops working. */
export function issueToken(ctx: Context, request: NewToken): string {
  const token = newLinkToken(ctx.projectId)
  putToken(ctx, { ...toRow(request), token_hash: hashToken(token) })
  return token
}

/** Prepares a token whose link and code are made with its mail. An older one stops working now. @returns its id */
export function prepareToken(ctx: Context, request: NewToken): string {
  const row = toRow(request)
  putToken(ctx, row)
  return row.id
}

/** Makes the link and the 6-digit code of a prepared token. They are shown only in the mail. */
export function issueLinkAndCode(
  ctx: Context,
  codeHash: KeyedHash,
  id: string,
  memberId: string | null,
): { token: string; code: string } {
  const { token, code, ...hashes } = newLinkAndCode(ctx.projectId, codeHash, id)
  setLinkAndCode(ctx, { id, memberId, ...hashes })
  return { token, code }
}

/**
 * Uses up the proof from a mail. A wrong code is counted, so the transaction must be committed in every case.
 * @param purposes the purposes that are accepted
 * @returns undefined if the proof is invalid
 */
export async function takeProof(
  ctx: Context,
  codeHash: CheckedHash,
  purposes: readonly Purpose[],
  proof: Proof,
): Promise<VerifiedToken | undefined> {
  if ('token' in proof) {
    const row = await takeToken(ctx, { hash: hashToken(proof.token), purposes })
    return row && isVerified(row, proof) ? toVerifiedToken(row) : undefined
  }
  for (const purpose of purposes) {
    const row = await tryCode(ctx, { purpose, subject: emailKey(proof.email) })
    if (!row || !isCode(codeHash, row, proof.code) || !isVerified(row, proof)) continue
    dropToken(ctx, { id: row.id })
    return { ...toVerifiedToken(row), ...signUpOf(row) }
  }
  return undefined
}

/** Whether the proof comes from the site that requested the mail, if that site sent a challenge. */
const isVerified = ({ code_challenge }: { code_challenge: string | null }, { codeVerifier = '' }: Proof) =>
  code_challenge === null || isChallengeOf(code_challenge, codeVerifier)

/** Only a code proves that the person who signed up reads the mail: a link can be followed by anybody who gets it. */
function signUpOf({ details, password_hash }: { details: unknown; password_hash: string | null }) {
  const stored = (details as { sign_up?: SignUpDetails }).sign_up
  if (!stored) return {}
  const { full_name: fullName, metadata } = stored
  const signUp = { fullName, metadata: JSON.stringify(metadata) }
  return { signUp: password_hash === null ? signUp : { ...signUp, passwordHash: password_hash } }
}

interface StoredToken {
  purpose: string
  email: string | null
  member_id: string | null
  redirect_url: string | null
  details: unknown
}

export const toVerifiedToken = (row: StoredToken): VerifiedToken => ({
  purpose: row.purpose,
  email: row.email,
  memberId: row.member_id,
  redirectUrl: row.redirect_url,
  details: row.details as Record<string, unknown>,
})

const toRow = (request: NewToken): TokenRow => ({
  id: newUuid(),
  purpose: request.purpose,
  subject: request.subject,
  email: request.email ?? null,
  member_id: request.memberId ?? null,
  redirect_url: request.redirectUrl ?? null,
  token_hash: null,
  details: JSON.stringify(request.details ?? {}),
  password_hash: request.passwordHash ?? null,
  code_challenge: request.codeChallenge ?? null,
})

/** The path of the page that mails' links lead to, below the base URL. */
export const PAGE_PATH = '/auth/continue'

/** The link of a mail. It leads to a page of ours, and the button there does what the mail is for. */
export const linkTo = (baseUrl: string, token: string): string => `${baseUrl}${PAGE_PATH}?token=${token}`
