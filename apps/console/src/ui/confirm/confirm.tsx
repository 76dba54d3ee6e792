import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isConflict } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import { TextField } from '../text-field/text-field.tsx'

interface Props<Result> {
  /** The question, such as "Delete the plan “Gold”?". */
  readonly title: string
  /** What the button says that does it, such as "Delete". */
  readonly verb: string
  /**
   * How much is lost by a mistake. `plain`: a question alone. `verb`: the verb is typed, for what many things or people lose.
   * A name is typed for what cannot be made again, such as a project. Where the API wants a log-in of the last minutes
   * (`RECENT_LOGIN_REQUIRED`), it is asked for over this question, and the act goes on by itself.
   */
  readonly risk?: 'plain' | 'verb' | { readonly name: string }
  /** It cannot be undone. */
  readonly isDanger?: boolean
  readonly act: () => PromiseLike<Result>
  readonly onDone?: (result: Result) => unknown
  readonly onClose: () => void
  /** What happens, with numbers. */
  readonly children: ReactNode
}

/** Asks before something is done, by its risk, and does it once. */
export function Confirm<Result>({
  title,
  verb,
  risk = 'plain',
  isDanger = true,
  act,
  onDone,
  onClose,
  children,
}: Props<Result>) {
  const [typed, setTyped] = useState('')
  const [isRefused, setRefused] = useState(false)
  const queries = useQueryClient()
  const doIt = useMutation({
    mutationFn: async () => act(),
    onSuccess: async (result) => {
      await onDone?.(result)
      onClose()
    },
    // The question then stands over what the thing is now, and can be answered again.
    onError: async (error) => {
      if (isConflict(error)) await queries.invalidateQueries()
    },
  })
  const wanted = risk === 'plain' ? undefined : risk === 'verb' ? verb : risk.name
  return (
    <FormDialog
      {...{ title, verb, isDanger, onClose }}
      isPending={doIt.isPending}
      error={
        isConflict(doIt.error)
          ? new Error(t('Somebody else has changed this. You see it as it is now.'))
          : doIt.error
      }
      onSubmit={() => {
        const isRight = wanted === undefined || isTyped(typed, wanted, risk === 'verb')
        setRefused(!isRight)
        if (isRight) doIt.mutate()
      }}
    >
      {typeof children === 'string' ? <p>{children}</p> : children}
      {wanted !== undefined && (
        <TextField
          label={t('To go on, type: {word}', { word: wanted })}
          name="typed"
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          autoFocus
          error={isRefused ? t('This is another text') : undefined}
        />
      )}
    </FormDialog>
  )
}

/** Nobody is stopped by a capital letter of a verb; a name is typed as it is. */
function isTyped(typed: string, wanted: string, isVerb: boolean): boolean {
  const [a, b] = [typed, wanted].map((text) => text.trim().normalize('NFC').replaceAll(/\s+/g, ' '))
  return isVerb ? a?.toLocaleLowerCase() === b?.toLocaleLowerCase() : a === b
}
