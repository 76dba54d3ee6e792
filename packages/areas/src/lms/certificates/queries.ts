import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { lookups, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberOf, seesMembers, type Viewer } from '../access.ts'
import { certificateColumns } from './rows.ts'

const byId = lookups(
  'certificate_by_id',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    query
      .selectFrom('certificates as t')
      .select(certificateColumns)
      .where('t.id', '=', v.id)
      .where(seesMembers(kind, 't', v.member)),
)
/** @throws ApiError 404, for another member's too unless staff asks */
export const getCertificate = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(byId(viewer.kind), { id, member: memberOf(viewer) }, 'Certificate')

const issue = statement('issue_certificate', (v: { id: string; enrollment: string; code: Buffer }) =>
  query
    .insertInto('certificates')
    .columns([
      'id',
      'course_id',
      'enrollment_id',
      'member_id',
      'member_name',
      'course_title',
      'code',
      'issued_at',
    ])
    .expression(
      query
        .selectFrom('enrollments as e')
        .innerJoin('courses as c', 'c.id', 'e.course_id')
        .innerJoin('members as m', 'm.id', 'e.member_id')
        .select([
          sql<string>`${v.id}::uuid`.as('id'),
          'e.course_id',
          'e.id as enrollment_id',
          'e.member_id',
          'm.full_name as member_name',
          'c.title as course_title',
          sql<Buffer>`${v.code}::bytea`.as('code'),
          sql<string>`e.completed_at`.as('issued_at'),
        ])
        .where('e.id', '=', v.enrollment)
        .where('e.completed_at', 'is not', null)
        .where('c.certificates', '=', true),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'course_id', 'member_id']).doNothing())
    .returning([
      ...(['id', 'course_id', 'enrollment_id', 'member_id', 'member_name'] as const),
      ...(['course_title', 'code', 'issued_at', 'revoked_at'] as const),
    ]),
)
/**
 * Certifies an enrollment that is completed, with its date.
 * @returns undefined where the course certifies nothing, or the member has its certificate already
 */
export const insertCertificateRow = (
  ctx: Context,
  values: { id: string; enrollment: string; code: Buffer },
) => ctx.tx.first(issue, values)

const revoke = statement('revoke_certificate', (v: { id: string; reason: string | null }) =>
  query
    .updateTable('certificates')
    .set({ revoked_at: now, revoked_reason: v.reason })
    .where('id', '=', v.id)
    .where('revoked_at', 'is', null),
)
/** Revokes a certificate; one that is revoked keeps its day. */
export const revokeCertificateRow = (ctx: Context, id: string, reason: string | null) =>
  ctx.tx.run(revoke, { id, reason })

const project = statement('certificate_project', (v: { code: Buffer }) =>
  query.selectNoFrom(sql<string | null>`app.certificate_project(${v.code}::bytea)`.as('project')),
)
/** Whose certificate has a code, for whoever knows all of it; null where none has. Asked from outside of any project. */
export const projectOfCode = (ctx: Context, code: Buffer) =>
  ctx.tx.single(project, { code }).map((row) => row.project)

const byCode = statement('certificate_by_code', (v: { code: Buffer }) =>
  query
    .selectFrom('certificates')
    .select(['member_name', 'course_title', 'issued_at', 'revoked_at'])
    .where('code', '=', v.code),
)
/** @throws ApiError 404 */
export const getByCode = (ctx: Context, code: Buffer) => ctx.tx.one(byCode, { code }, 'Certificate')
