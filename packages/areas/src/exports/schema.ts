import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { exportId } from './ids.ts'

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'expired'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const ExportId = Type.String({
  description: 'The id of an export',
  examples: ['exp_01jcq3k8f7e8qtk4m3hbw7rn2k'],
})

const properties = {
  id: ExportId,
  kind: Type.String({ description: 'The data that is exported', examples: ['form_submissions'] }),
  format: Type.String({ examples: ['csv'] }),
  status: oneOf(EXPORT_STATUSES, {
    description: 'A `completed` export has a `url`. After a day it is `expired`, and its file is deleted',
    default: 'completed',
  }),
  file_name: Type.String({ description: 'The name of the file', examples: ['Contact 2026-11-21.csv'] }),
  rows: Type.Integer({ minimum: 0, description: 'The number of rows that are written', examples: [1_000] }),
  total_rows: nullable(
    Type.Integer({
      minimum: 0,
      description: 'The number of rows that are expected; null if it is not known',
      examples: [1_000],
    }),
  ),
  size: nullable(
    Type.Integer({
      minimum: 0,
      description: 'The size of the file in bytes; null until it is complete',
      examples: [48_213],
    }),
  ),
  error: nullable(
    Type.String({
      description: 'Why the export failed',
      examples: ['The export could not be finished: create a new one'],
    }),
  ),
  created_at: Timestamp(),
  completed_at: nullable(Timestamp()),
  expires_at: nullable(Timestamp({ description: 'When the file is deleted' })),
}

/** What events say about an export: everything but how to get at its bytes. */
export const ExportData = Type.Object(properties, { title: 'ExportData' })
export type ExportData = Static<typeof ExportData>

export const Export = Type.Object(
  {
    ...properties,
    url: nullable(
      Type.String({
        description:
          'Everybody who knows this URL can read the file until `url_expires_at`. Get the export again for a new URL. It leads to the object storage',
        format: 'web-url',
        examples: ['https://s3.example.com/bucket/key?X-Amz-Signature=2b7e1516'],
      }),
    ),
    url_expires_at: nullable(Timestamp({ description: 'When the `url` stops working' })),
  },
  { title: 'Export' },
)
export type Export = Static<typeof Export>

export const ById = strict({ id: pathId(exportId, ExportId) })
export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(EXPORT_STATUSES, { description: 'Only exports with this status' })),
  kind: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only exports of this kind',
      examples: ['form_submissions'],
    }),
  ),
  ...createdParameters,
  ...sortParameters(['created_at']),
})
