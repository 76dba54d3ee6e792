import { Type } from 'typebox'
import { projectImportId } from '#areas/projects/ids.ts'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { ProjectId } from '../schema.ts'
import { AskedBy, Count } from './schema.ts'

const ImportId = Type.String({
  description: 'The id of the import',
  examples: ['pimp_01jcq3k8f7e8qtk4m3hbw7rn2c'],
})
export const ByImport = strict({ import_id: pathId(projectImportId, ImportId) })

/** What S3 takes in one PUT. */
const LARGEST = 5 * 1024 ** 3

export const ProjectImportRequest = strict(
  {
    passphrase: Type.String({
      minLength: 12,
      maxLength: 1_024,
      description: 'The passphrase of the export. It is kept, sealed, until the import has ended',
      examples: ['correct horse battery staple'],
    }),
    size: Type.Integer({
      minimum: 1,
      maximum: LARGEST,
      description: 'Bytes of the archive',
      examples: [48_230_144],
    }),
  },
  { title: 'ProjectImportRequest' },
)

const fields = {
  id: ImportId,
  state: oneOf(['uploading', 'queued', 'running', 'done', 'failed'], { description: 'How far it is' }),
  size: Count('Bytes of the archive', 48_230_144),
  asked_by: AskedBy,
  asked_at: Timestamp({ description: 'When it was asked for' }),
  upload_until: Timestamp({ description: 'When the import fails if the archive is not there' }),
  ended_at: nullable(Timestamp({ description: 'When the project was there, or the import failed' })),
  error: nullable(Type.String({ description: 'Why it failed' })),
  report: nullable(
    Type.Object(
      {
        id: ProjectId,
        tables: Count('Tables that have rows', 42),
        rows: Count('Rows of both sides', 120_400),
        files: Count('Files of both sides', 812),
        bytes: Count('Bytes of the files', 734_003_200),
      },
      { title: 'ProjectImportReport', description: 'The project, and what came with it' },
    ),
  ),
}

export const ProjectImport = Type.Object(fields, { title: 'ProjectImport' })

export const NewProjectImport = Type.Object(
  {
    ...fields,
    upload: Type.Object(
      {
        method: Type.Literal('PUT'),
        url: Type.String({ description: 'The address that takes the archive, for 24 hours' }),
        headers: Type.Object({ 'Content-Type': Type.String({ examples: ['application/zip'] }) }),
      },
      { title: 'ArchiveUpload', description: 'How the archive is sent' },
    ),
  },
  { title: 'NewProjectImport' },
)
