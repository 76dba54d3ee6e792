import type { Export, Guildhall, NewListExport } from '@guildhall/sdk'
import { useMutation } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { ErrorNotice } from '../notice/notice.tsx'
import { saveFrom } from './save-from.ts'

/** What is asked for until it is ready. */
type Begun = Pick<Export, 'id' | 'status' | 'url' | 'error' | 'file_name'>

interface Props {
  /** One of the lists of `POST /exports`, with the filters of the present list. */
  readonly of?: NewListExport['of']
  readonly filters?: Readonly<Record<string, unknown>>
  /** In place of `of`: the area's own export. */
  readonly begin?: (client: Guildhall) => PromiseLike<Begun>
  /** Reads the area's own export again. Default: `exports.get` */
  readonly again?: (client: Guildhall, id: string) => PromiseLike<Begun>
  /** Default: "Export" */
  readonly children?: string
}

/** Milliseconds between two looks at an export that is not ready. */
const PAUSE_MS = 1_000

/** Makes a CSV file of what the list shows, waits for it and downloads it. Viewers do not export. */
export function ExportButton({ of, filters = {}, begin, again, children = t('Export') }: Props) {
  const { client } = useProject()
  const { canChange } = useRights()
  const run = useMutation({
    mutationFn: async () => {
      const first = await (begin
        ? begin(client)
        : client.exports.create({ of: of ?? 'orders', filters: given(filters) }))
      return whenReady(first, (id) => (again ? again(client, id) : client.exports.get(id)))
    },
    onSuccess: ({ url, file_name }) => {
      if (url !== null) saveFrom(url, file_name)
    },
  })
  if (!canChange) return null
  return (
    <>
      <Button isPending={run.isPending} onPress={() => run.mutate()}>
        {run.isPending ? t('Exporting …') : children}
      </Button>
      <span role="status">{run.isSuccess && t('The file is downloaded')}</span>
      {run.error && <ErrorNotice error={run.error} />}
    </>
  )
}

/** The filters that are set: pages and orders are none. */
const given = ({ page: _, sort: __, order: ___, tab: ____, ...filters }: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))

async function whenReady(first: Begun, again: (id: string) => PromiseLike<Begun>): Promise<Begun> {
  let present = first
  while (present.status !== 'completed') {
    if (present.error !== null || ['failed', 'expired'].includes(present.status))
      throw new Error(present.error ?? t('The export failed'))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    present = await again(present.id)
  }
  return present
}
