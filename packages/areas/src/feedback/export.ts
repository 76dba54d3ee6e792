import { sql } from 'kysely'
import { type ListExport, publicId, timestamp } from '#platform/csv/list-file.ts'
import { query } from '#platform/db/statement.ts'
import { filtersOf } from '#platform/http/page.ts'
import { prefixOf } from '#platform/ids.ts'
import { feedbackId } from './ids.ts'
import { narrowItems } from './queries.ts'
import { ListQuery } from './schema.ts'

/** Feedback as a file. */
export const feedbackExport: ListExport = {
  of: 'feedback',
  title: 'Feedback',
  permission: 'read:community',
  filters: filtersOf(ListQuery),
  id: { is: feedbackId, column: 'f.id' },
  columns: {
    type: sql.ref('f.type'),
    status: sql.ref('f.state'),
    visibility: sql.ref('f.visibility'),
    votes: sql`f.vote_count::text`,
    title: { guarded: sql.ref('f.title') },
    message: { guarded: sql.ref('f.message') },
    author_id: publicId('mem', 'f.author_id'),
    email: { guarded: sql`coalesce(f.email, (select m.email from members m where m.id = f.author_id))` },
    status_note: { guarded: sql.ref('f.status_note') },
    merged_into: publicId(prefixOf(feedbackId), 'f.merged_into'),
    metadata: { guarded: sql`f.metadata::text` },
    created_at: timestamp('f.created_at'),
    updated_at: timestamp('f.updated_at'),
  },
  rows: (filters) => narrowItems(filters, query.selectFrom('feedback as f')),
}
