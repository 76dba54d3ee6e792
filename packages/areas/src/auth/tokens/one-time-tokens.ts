import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { KeyedHash } from '#platform/secrets/keyed-hash.ts'
import { emailKey, type SignUpSaid } from '../member-queries.ts'
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

/** How somebody shows that a mail reached them: by its link's token, or by its code. */
export type Proof = ({ readonly token: string } | { readonly email: string; readonly code: string }) & {
  /** What the site keeps that has asked for the mail, where it has given a code challenge. */
  readonly codeVerifier?: string
}

/** What a token stood for. */
export interface VerifiedToken {
  readonly purpose: string
  readonly email: string | null
  readonly memberId: string | null
  readonly redirectUrl: string | null
  readonly details: Record<string, unknown>
  /** What the sign-up has said that its code was sent for. */
  readonly signUp?: SignUpSaid
}

/** What a sign-up's token keeps, until its code or link comes back. */
interface SignUpDetails {
  readonly full_name: string
  readonly metadata: Record<string, unknown>
}

const PROJECT_BYTES = 16

/** A token for links: the project that it belongs to, which our own page must know, and 256 random bits. */
export function newLinkToken(projectId: string): string {
  const project = Buffer.from(projectId.replaceAll('-', ''), 'hex')
  return Buffer.concat([project, randomBytes(32)]).toString('base64url')
}

/** The project that a link's token names, or undefined where it is none. Nothing but the token's hash proves it. */
export function projectOfToken(token: string): string | undefined {
  if (!/^[\w-]{64}$/.test(token)) return undefined
  const hex = Buffer.from(token, 'base64url').subarray(0, PROJECT_BYTES).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A link's token and a 6-digit code for a mail, and what is kept of them. @param id what they are of */
export function newLinkAndCode(projectId: string, codeHash: KeyedHash, id: string) {
  const token = newLinkToken(projectId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return { token, code, tokenHash: hashToken(token), codeHash: hashCode(codeHash, id, code) }
}

/** Whether a code is the one that was sent for an id. */
export const isCode = (codeHash: KeyedHash, sent: { id: string; code_hash: Buffer | null }, code: string) =>
  sent.code_hash !== null && timingSafeEqual(sent.code_hash, hashCode(codeHash, sent.id, code))

const hashCode = (codeHash: KeyedHash, id: string, code: string) => codeHash(`${id} ${code}`)

interface NewToken {
  readonly purpose: Purpose
  /** An address in lower case, or an id. */
  readonly subject: string
  readonly email?: string
  readonly memberId?: string
  readonly redirectUrl?: string | null
  readonly details?: object
  /** Of a sign-up. */
  readonly passwordHash?: string | undefined
  /** What its code verifier is to fit. */
  readonly codeChallenge?: string | undefined
}

/** A token that is handed out at once. An older one for the same dies. */
export function issueToken(ctx: Context, request: NewToken): string {
  const token = newLinkToken(ctx.projectId)
  putToken(ctx, { ...toRow(request), token_hash: hashToken(token) })
  return token
}

/** A token whose link and code are made when its mail is. An older one for the same dies now. @returns its id */
export function prepareToken(ctx: Context, request: NewToken): string {
  const row = toRow(request)
  putToken(ctx, row)
  return row.id
}

/** Makes the link's token and the 6-digit code of a prepared token. They are shown in the mail and nowhere else. */
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
 * Uses up what was sent in a mail. A wrong code counts, so that the transaction must be committed in any case.
 * @param purposes what it may have been sent for
 * @returns undefined where it proves nothing
 */
export async function takeProof(
  ctx: Context,
  codeHash: KeyedHash,
  purposes: readonly Purpose[],
  proof: Proof,
): Promise<VerifiedToken | undefined> {
  if ('token' in proof) {
    const row = await takeToken(ctx, hashToken(proof.token), purposes)
    return row && isVerified(row, proof) ? toVerifiedToken(row) : undefined
  }
  for (const purpose of purposes) {
    const row = await tryCode(ctx, purpose, emailKey(proof.email))
    if (!row || !isCode(codeHash, row, proof.code) || !isVerified(row, proof)) continue
    dropToken(ctx, row.id)
    return { ...toVerifiedToken(row), ...signUpOf(row) }
  }
  return undefined
}

/** Whether it comes from the site that has asked, as far as that has said how to tell. */
const isVerified = ({ code_challenge }: { code_challenge: string | null }, { codeVerifier = '' }: Proof) =>
  code_challenge === null || isChallengeOf(code_challenge, codeVerifier)

/** Only a code tells that whoever has signed up is who reads the mail: a link is followed by whoever gets it. */
function signUpOf({ details, password_hash }: { details: unknown; password_hash: string | null }) {
  const said = (details as { sign_up?: SignUpDetails }).sign_up
  if (!said) return {}
  const { full_name: fullName, metadata } = said
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
