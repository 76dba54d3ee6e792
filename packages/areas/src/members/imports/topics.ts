import { assertKey, assertMay, type Publication, type TopicGroup } from '#platform/catalogue/topic.ts'
import { notFound } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { importCompleted } from '../events.ts'
import { importId } from '../ids.ts'
import { importProgressed } from './notices.ts'
import { findImport, getImport } from './queries.ts'
import { toProgress } from './rows.ts'

/** Imports are for keys. */
export const importTopics: TopicGroup = {
  topics: [
    {
      name: 'import',
      of: 'ID',
      description: 'For keys with `read:members`: the progress and the end of an import of members',
      example: 'import:imp_01jcq3k8f7e8qtk4m3hbw7rn2s',
      open: async (data, asker, of) => {
        assertKey(asker, 'Imports')
        assertMay(asker, 'read:members')
        const id = parseId(importId, of)
        if (id === undefined) throw notFound('Import')
        await data.read({ row: getImport({ id }) })
        return id
      },
    },
  ],
  events: [importCompleted.name],
  notices: [importProgressed],
  publish: async (logged, { data, open }) => {
    const publications = new Map<string, Publication>()
    const wanted = Map.groupBy(
      logged,
      ({ about, subject_id }) => subject_id ?? parseId(importId, about.id ?? ''),
    )
    for (const [id, some] of wanted) {
      if (id === undefined || !open.has(`import:${id}`)) continue
      const { row } = await data.read({ row: findImport({ id }) })
      if (row === undefined) continue
      const shown = { topics: [`import:${id}`], data: toProgress(row) }
      for (const each of some) publications.set(each.id, shown)
    }
    return publications
  },
}
