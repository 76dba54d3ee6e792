import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** The member of whose data an archive is made; one who was deleted since too, as long as there is an address. */
export const findOwner = defineQuery('member_of_archive', (v: { export_id: string }) =>
  query
    .selectFrom('exports as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['m.id', 'm.email', 'm.full_name'])
    .where('e.id', '=', v.export_id)
    .where('m.anonymized_at', 'is', null),
).first()
