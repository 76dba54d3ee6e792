import { useMutation } from '@tanstack/react-query'
import { callConsole, takeSession } from '../../data/console-api.ts'

/** What every way to log in answers. */
export type Answer =
  | { readonly mfa_required?: false; readonly session: Session | null }
  | { readonly mfa_required: true; readonly mfa_token: string }

interface Session {
  readonly access_token: string
  readonly expires_in: number
}

/** Calls what nobody must be logged in for. @param path below `/console/api` */
export const ask = <T>(path: string, body: unknown): Promise<T> =>
  callConsole<T>('POST', path, { body, isSignedIn: false })

type Fields = Readonly<Record<string, string>>

/** The fields of a form that were filled in. */
export const fieldsOf = (form: HTMLFormElement): Fields =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  )

export interface EntryProps {
  /** The operator is logged in. */
  readonly onDone: () => void
  /** A second factor is asked for. */
  readonly onFactor: (mfaToken: string) => void
}

/** Logs in by what a mail, an authenticator or a provider has given. */
export function useEntry({ onDone, onFactor }: EntryProps) {
  return useMutation({
    mutationFn: (enter: () => Promise<Answer>) => enter(),
    onSuccess: (answer) => {
      if (answer.mfa_required === true) return onFactor(answer.mfa_token)
      // A sign-up whose address is not confirmed yet has no session.
      if (answer.session === null) return
      takeSession(answer.session)
      onDone()
    },
  })
}
