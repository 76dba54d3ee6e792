import { assertKey, assertMay, type Publication, type TopicGroup } from '#platform/catalogue/topic.ts'
import { notFound } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import type { Permission } from '#platform/keys/permissions.ts'
import { exportCompleted, exportFailed } from './events.ts'
import { exportId } from './ids.ts'
import { exportProgressed } from './notices.ts'
import { findExport, getExport, toExportData } from './queries.ts'

/** Exports are for keys, which need the permission of the export. */
export const exportTopics: TopicGroup = {
  topics: [
    {
      name: 'export',
      of: 'ID',
      description:
        'For keys: the progress and the end of an export. The key needs the permission with which it was created',
      example: 'export:exp_01jcq3k8f7e8qtk4m3hbw7rn2r',
      open: async (data, asker, of) => {
        assertKey(asker, 'Exports')
        const id = parseId(exportId, of)
        if (id === undefined) throw notFound('Export')
        const { row } = await data.read({ row: getExport({ id }) })
        assertMay(asker, row.permission as Permission)
        return id
      },
    },
  ],
  events: [exportCompleted.name, exportFailed.name],
  notices: [exportProgressed],
  publish: async (logged, { data, open }) => {
    const publications = new Map<string, Publication>()
    const wanted = Map.groupBy(
      logged,
      ({ about, subject_id }) => subject_id ?? parseId(exportId, about.id ?? ''),
    )
    for (const [id, some] of wanted) {
      if (id === undefined || !open.has(`export:${id}`)) continue
      const { row } = await data.read({ row: findExport({ id }) })
      if (row === undefined) continue
      const shown = { topics: [`export:${id}`], data: toExportData(row) }
      for (const each of some) publications.set(each.id, shown)
    }
    return publications
  },
}
