import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'expired'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const ExportId = Type.String({
  description: 'The id of an export',
  examples: ['exp_01jcq3k8f7e8qtk4m3hbw7rn2k'],
})

const properties = {
  id: ExportId,
  kind: Type.String({ description: 'What it is made of', examples: ['form_submissions'] }),
  format: Type.String({ examples: ['csv'] }),
  status: oneOf(EXPORT_STATUSES, {
    description: '`completed` has a `url`, until it is `expired` and its bytes are deleted',
    default: 'completed',
  }),
  file_name: Type.String({ description: 'As it is saved', examples: ['Contact 2026-11-21.csv'] }),
  rows: Type.Integer({ minimum: 0, description: 'Written so far', examples: [1_000] }),
  total_rows: nullable(
    Type.Integer({ minimum: 0, description: 'Expected, where that is known', examples: [1_000] }),
  ),
  size: nullable(Type.Integer({ minimum: 0, description: 'Bytes, once it is complete', examples: [48_213] })),
  error: nullable(
    Type.String({
      description: 'Why it failed',
      examples: ['The export could not be finished; ask for it again'],
    }),
  ),
  created_at: Timestamp(),
  completed_at: nullable(Timestamp()),
  expires_at: nullable(Timestamp({ description: 'When its bytes are deleted' })),
}

/** What events tell of an export: everything but how to get at its bytes. */
export const ExportData = Type.Object(properties, { title: 'ExportData' })
export type ExportData = Static<typeof ExportData>

export const Export = Type.Object(
  {
    ...properties,
    url: nullable(
      Type.String({
        description:
          'Whoever has it may read the file until `url_expires_at`; ask again for a new one. It leads to the object storage',
        examples: ['https://s3.example.com/bucket/key?X-Amz-Signature=…'],
      }),
    ),
    url_expires_at: nullable(Timestamp({ description: 'Until when the `url` works' })),
  },
  { title: 'Export' },
)
export type Export = Static<typeof Export>

export const ById = strict({ id: ExportId })
export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(EXPORT_STATUSES, { description: 'Exports with this status only' })),
  kind: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Exports of this kind only',
      examples: ['form_submissions'],
    }),
  ),
})
