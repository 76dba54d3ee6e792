import { personalData } from '#platform/catalogue/personal-data.ts'

/** What members show of themselves. It is deleted with the member, who is "Former member" from then on. */
export const memberData = [
  personalData({
    table: 'profiles',
    member: 'id',
    columns: ['id', 'display_name', 'bio', 'avatar_file_id', 'updated_at'],
    ids: { id: 'member', avatar_file_id: 'file' },
  }),
]
