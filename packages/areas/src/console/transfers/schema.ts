import { Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'

export const ProjectExportRequest = strict(
  {
    passphrase: Type.String({
      minLength: 12,
      maxLength: 1_024,
      description:
        'Secrets are sealed with it in the archive. Nobody can read them without it, and it is not kept',
      examples: ['correct horse battery staple'],
    }),
  },
  { title: 'ProjectExportRequest' },
)

export const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

export const AskedBy = Type.String({
  description: 'The operator who asked for it',
  examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2c'],
})

export const ProjectExport = Type.Object(
  {
    id: Type.String({ description: 'The id of the export', examples: ['pexp_01jcq3k8f7e8qtk4m3hbw7rn2c'] }),
    state: oneOf(['queued', 'running', 'done', 'failed'], { description: 'How far it is' }),
    asked_by: AskedBy,
    asked_at: Timestamp({ description: 'When it was asked for' }),
    ended_at: nullable(Timestamp({ description: 'When it was made, or failed' })),
    error: nullable(Type.String({ description: 'Why it failed' })),
    report: nullable(
      Type.Object(
        {
          tables: Count('Tables that have rows', 42),
          rows: Count('Rows of both sides', 120_400),
          files: Count('Files of both sides', 812),
          bytes: Count('Bytes of the files', 734_003_200),
        },
        { title: 'ProjectExportReport', description: 'What it has' },
      ),
    ),
    expires_at: nullable(Timestamp({ description: 'When the archive is removed, 7 days after it was made' })),
    url: nullable(
      Type.String({
        description: 'The archive (ZIP), for an hour; null where there is none',
        examples: ['https://files.example.com/guildhall/project-exports/…'],
      }),
    ),
  },
  { title: 'ProjectExport' },
)
