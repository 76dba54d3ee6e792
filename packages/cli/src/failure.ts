import { GuildhallError } from '../../sdk/src/guildhall.ts'
import { plain } from './options.ts'

/** Why a command ends without having done its work, in a sentence for whoever called it. */
export class Failure extends Error {
  readonly exitCode: number

  /** @param exitCode 1 for what failed, 2 for a wrong call */
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  NO_ANSWER: 'Check the address, and your connection',
  TIMEOUT: 'Try again, or check the address',
  NOT_JSON: 'Check the address: it must be that of the API',
  INVALID_TOKEN: 'Check the key, or log in again: guildhall-cli login',
  INSUFFICIENT_PERMISSIONS:
    'The credential may not do this: use another key, or ask the owner of the project',
}

/** What a failure says to people. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (error instanceof GuildhallError) {
    const advice = ADVICE[error.code]
    const request = error.requestId === undefined ? '' : ` (${error.requestId})`
    return `${plain(error.message)} [${error.code}]${request}${advice ? `\n${advice}` : ''}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
