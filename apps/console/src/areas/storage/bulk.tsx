import type { File as StoredFile } from '@guildhall/sdk'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import type { Selection } from '../../ui/data-table/use-selection.ts'

type Act = 'private' | 'public' | 'delete'

/** What can be done with many files at once. */
export function BulkFiles({ selection }: { readonly selection: Selection<StoredFile> }) {
  const [act, setAct] = useState<Act>()
  return (
    <>
      <Button onPress={() => setAct('private')}>{t('Make private')}</Button>
      <Button onPress={() => setAct('public')}>{t('Make public')}</Button>
      <Button kind="danger" onPress={() => setAct('delete')}>
        {t('Delete')}
      </Button>
      {act && <BulkAct act={act} selection={selection} onClose={() => setAct(undefined)} />}
    </>
  )
}

/** Files of which it is asked whether something uses them, before they are deleted. */
const MOST_ASKED = 50

interface Props {
  readonly act: Act
  readonly selection: Selection<StoredFile>
  readonly onClose: () => void
}

function BulkAct({ act, selection, onClose }: Props) {
  // What was chosen when the question was asked; those that fail stay chosen.
  const [ids] = useState(() => [...selection.chosen])
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const used = useUsed(act === 'delete' ? ids.slice(0, MOST_ASKED) : [])
  const titles = {
    private: t('Make {count} {count:file|files} private', { count: ids.length }),
    public: t('Make {count} {count:file|files} public', { count: ids.length }),
    delete: t('Delete {count} {count:file|files}', { count: ids.length }),
  }
  return (
    <BulkDialog
      title={titles[act]}
      verb={act === 'delete' ? t('Delete') : t('Change')}
      isDanger={act === 'delete'}
      ids={ids}
      send={(some) =>
        client.storage.files.changeInBulk({
          operations: some.map((id) =>
            act === 'delete' ? { action: 'delete', id } : { action: 'update', id, visibility: act },
          ),
        })
      }
      onDone={async (failed) => {
        selection.clear()
        selection.choose(failed, true)
        await queries.invalidateQueries({ queryKey: [project, side, 'files'] })
      }}
      onClose={onClose}
    >
      {act === 'delete' && (
        <>
          {used > 0 && (
            <p>
              {ids.length > MOST_ASKED
                ? t('At least {used} of them {used:is|are} used: what uses a file loses it.', { used })
                : t('{used} of them {used:is|are} used: what uses a file loses it.', { used })}
            </p>
          )}
          <p>{t('Deleted files cannot be restored.')}</p>
        </>
      )}
      {act === 'public' && <p>{t('Everybody who knows the address of a public file can read it.')}</p>}
      {act !== 'delete' && <p>{t('Their addresses change.')}</p>}
    </BulkDialog>
  )
}

/** How many of these files something uses, as far as it is known yet. */
function useUsed(ids: readonly string[]): number {
  const { project, side, client } = useProject()
  const files = useQueries({
    queries: ids.map((id) => ({
      queryKey: [project, side, 'files', 'used', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.storage.files.get(id, { include: ['used_by'] }, { signal }),
    })),
  })
  return files.filter(({ data }) => (data?.used_by?.length ?? 0) > 0).length
}
