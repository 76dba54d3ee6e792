import { Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { AskedBy, Count } from './schema.ts'

const CellName = Type.String({ description: 'The name of the other cell here', examples: ['eu-2'] })

export const MoveRequest = strict(
  {
    to: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The name of the other cell here',
      examples: ['eu-2'],
    }),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Only say what the move would do. Default: false', examples: [true] }),
    ),
  },
  { title: 'ProjectMoveRequest' },
)

const Method = oneOf(['replication', 'copy'], {
  description:
    '`replication` copies while the project is used; `copy` copies while writes are held, where `wal_level` is not `logical`',
})
const Lines = (description: string) => Type.Array(Type.String(), { description })
const copied = {
  tables: Count('Tables that are copied', 118),
  files: Count('Files of both sides', 812),
  bytes: Count('Bytes of the files', 734_003_200),
}

export const ProjectMove = Type.Object(
  {
    id: Type.String({ description: 'The id of the request', examples: ['pmov_01jcq3k8f7e8qtk4m3hbw7rn2c'] }),
    to: CellName,
    dry_run: Type.Boolean({ description: 'Whether it only says what the move would do' }),
    state: oneOf(['queued', 'running', 'done', 'failed'], { description: 'How far it is' }),
    asked_by: AskedBy,
    asked_at: Timestamp({ description: 'When it was asked for' }),
    ended_at: nullable(Timestamp({ description: 'When it ended' })),
    error: nullable(Type.String({ description: 'Why it failed' })),
    plan: nullable(
      Type.Object(
        {
          method: Method,
          faults: Lines('Faults that prevent the move'),
          warnings: Lines('Effects of the move that operators must know'),
          ...copied,
        },
        { title: 'ProjectMovePlan', description: 'What a dry run has found' },
      ),
    ),
    report: nullable(
      Type.Object(
        {
          method: Method,
          hold_ms: Count('Milliseconds for which nothing could be written', 758),
          rows: Count('Rows of both sides', 120_400),
          ...copied,
        },
        { title: 'ProjectMoveReport', description: 'What the move has done' },
      ),
    ),
  },
  { title: 'ProjectMove' },
)

export const CellForMoves = Type.Object(
  {
    name: CellName,
    url: Type.String({ description: 'The address of its API', examples: ['https://eu-2.example.com'] }),
    is_ready: Type.Boolean({ description: 'Whether a worker has what it needs to move projects there' }),
  },
  { title: 'Cell' },
)
