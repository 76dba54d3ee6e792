import type { Guildhall, LogInResponse } from '../../../sdk/src/guildhall.ts'
import { forgetProof, verifierOf } from './browser-proof.ts'

/** Logs in by the token of a link in a mail. */
export async function redeemToken(open: Guildhall, token: string): Promise<LogInResponse> {
  const verifier = verifierOf('mail')
  const proof = { token, ...(verifier !== undefined && { code_verifier: verifier }) }
  const answer = await open.auth.magicLink.verify(proof)
  forgetProof('mail')
  return answer
}

/** Logs in by the code with which an organization sends somebody back. */
export function redeemCode(open: Guildhall, code: string): Promise<LogInResponse> {
  const verifier = verifierOf('sso') ?? ''
  forgetProof('sso')
  return open.auth.sso.exchange({ code, code_verifier: verifier })
}
