import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import { TextField } from '../text-field/text-field.tsx'
import styles from './bulk.module.css'

/** What a bulk operation of the API answers. */
interface BulkResult {
  readonly succeeded: number
  readonly failed: number
  readonly results: readonly { readonly id: string; readonly success: boolean; readonly error?: string }[]
}

interface Props {
  readonly title: string
  readonly verb: string
  readonly ids: readonly string[]
  /** The largest number that one request takes. Default: 1,000 */
  readonly most?: number
  /** What cannot be undone: the verb is typed first. */
  readonly isDanger?: boolean
  readonly send: (ids: readonly string[]) => PromiseLike<BulkResult>
  /** Called when it is done, with those that failed. */
  readonly onDone: (failed: readonly string[]) => unknown
  readonly onClose: () => void
  /** What happens to how many, before it does. */
  readonly children: ReactNode
}

/** Says what happens to many things before it does, does it, and says which of them failed and why. */
export function BulkDialog({
  title,
  verb,
  ids,
  most = 1_000,
  isDanger = false,
  send,
  onDone,
  onClose,
  children,
}: Props) {
  const [typed, setTyped] = useState('')
  const [isRefused, setRefused] = useState(false)
  const run = useMutation({
    mutationFn: async (): Promise<BulkResult['results']> => {
      const results: BulkResult['results'][number][] = []
      for (let i = 0; i < ids.length; i += most) results.push(...(await send(ids.slice(i, i + most))).results)
      return results
    },
    onSettled: (results = []) => onDone(results.flatMap(({ id, success }) => (success ? [] : [id]))),
  })
  if (run.data !== undefined) return <Outcome title={title} results={run.data} onClose={onClose} />
  return (
    <FormDialog
      {...{ title, verb, isDanger, onClose }}
      isPending={run.isPending}
      error={run.error}
      onSubmit={() => {
        const isRight = !isDanger || typed.trim().toLocaleLowerCase() === verb.toLocaleLowerCase()
        setRefused(!isRight)
        if (isRight) run.mutate()
      }}
    >
      {children}
      {isDanger && (
        <TextField
          label={t('To go on, type: {word}', { word: verb })}
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

interface OutcomeProps extends Pick<Props, 'title' | 'onClose'> {
  readonly results: BulkResult['results']
}

function Outcome({ title, results, onClose }: OutcomeProps) {
  const failed = results.filter(({ success }) => !success)
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p role="status">
        {t('{done} done, {failed} failed', {
          done: results.length - failed.length,
          failed: failed.length,
        })}
      </p>
      {failed.length > 0 && (
        <ul className={styles.faults}>
          {failed.map(({ id, error = '' }) => (
            <li key={id}>
              <code>{id}</code> {error}
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button kind="primary" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}
