import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { StoredFile } from './schema.ts'

export const fileCreated = defineEvent({
  name: 'file.created',
  description: 'A file was completely uploaded and can be read',
  data: StoredFile,
  example: exampleOf(StoredFile),
  member: ({ owner_id }) => owner_id,
})
export const fileDeleted = defineEvent({
  name: 'file.deleted',
  description: 'A file was deleted, with its bytes',
  data: Type.Object({ id: StoredFile.properties.id }),
  example: { id: 'file_01jcq3k8f7e8qtk4m3hbw7rn2e' },
  member: () => null,
})
