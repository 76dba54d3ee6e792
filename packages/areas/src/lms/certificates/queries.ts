import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import type { Language } from '#platform/values/languages.ts'
import { seesMembers } from '../access.ts'
import { certificateId, courseId, enrollmentId } from '../ids.ts'
import { shownCode } from './code.ts'
import type { Certificate } from './schema.ts'

const columns = [
  ...(['id', 'course_id', 'enrollment_id', 'member_id', 'member_name'] as const),
  ...(['course_title', 'code', 'issued_at', 'revoked_at', 'replaced_by'] as const),
] as const
const certificates = () => query.selectFrom('certificates as t').select(columns)

/** A row as clients see it. */
const toCertificate = ({
  member_id,
  member_name,
  ...row
}: InferResult<ReturnType<typeof certificates>>[number]): Certificate => ({
  ...row,
  id: toId(certificateId, row.id),
  course_id: toId(courseId, row.course_id),
  enrollment_id: row.enrollment_id === null ? null : toId(enrollmentId, row.enrollment_id),
  student_id: toId('member', member_id),
  student_name: member_name,
  code: shownCode(row.code),
  replaced_by: row.replaced_by === null ? null : toId(certificateId, row.replaced_by),
})

/** @throws ApiError 404, for another member's too unless staff asks */
export const getCertificate = defineLookup('certificate_by_id', (v: Credential & { id: string }) =>
  certificates().where('t.id', '=', v.id).where(seesMembers('t', v)),
)
  .map(toCertificate)
  .one('Certificate')

/**
 * Certifies an enrollment that is completed, with its date.
 * @returns undefined where the course certifies nothing, or the member has its certificate already
 */
export const issueCertificate = defineQuery(
  'issue_certificate',
  (v: { id: string; enrollment: string; code: Buffer }) =>
    query
      .insertInto('certificates')
      .columns([
        ...(['id', 'course_id', 'enrollment_id', 'member_id', 'member_name'] as const),
        ...(['course_title', 'code', 'issued_at'] as const),
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
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'course_id', 'member_id'])
          .where('replaced_by', 'is', null)
          .doNothing(),
      )
      .returning(columns),
)
  .map(toCertificate)
  .first()

/** What its project adds to the page of a certificate. */
export const getIssuer = defineQuery('certificate_issuer', () =>
  query
    .selectFrom('projects as p')
    .leftJoin('certificate_settings as s', 's.project_id', 'p.id')
    .select(['p.name', 'p.timezone', 's.certificate_url'])
    .select((row) => row.ref('p.language').$castTo<Language>().as('language'))
    .where('p.id', '=', sql<string>`app.current_project()`),
).one('Project')
export type Issuer = AnswerOf<typeof getIssuer>

const ofSameMember = (id: string) =>
  sql<boolean>`(t.course_id, t.member_id) = (select s.course_id, s.member_id from certificates s where s.id = ${id}::uuid)`

/** Holds all certificates of a member for a course, so that only one at a time is issued anew. */
export const lockCertificates = defineQuery('lock_certificates', (v: { id: string }) =>
  query.selectFrom('certificates as t').select('t.id').where(ofSameMember(v.id)).orderBy('t.id').forUpdate(),
)

/** Of the certificates of a member for a course the one that is not replaced, and the member's name today. @throws ApiError 404 */
export const getCurrent = defineQuery('current_certificate', (v: { id: string }) =>
  certificates()
    .select(sql<string>`(select m.full_name from members m where m.id = t.member_id)`.as('full_name'))
    .where(ofSameMember(v.id))
    .where('t.replaced_by', 'is', null),
)
  .map(({ full_name, ...row }) => ({ id: row.id, name: full_name, certificate: toCertificate(row) }))
  .one('Certificate')

/** Issues a certificate anew with the member's name today, with a code of its own and the day of the old one. */
export const replaceCertificate = defineQuery(
  'replace_certificate',
  (v: { id: string; old: string; code: Buffer }) =>
    query
      .with('old', (cte) =>
        cte
          .updateTable('certificates')
          .set({ replaced_by: v.id })
          .where('id', '=', v.old)
          .where('replaced_by', 'is', null)
          .returning(['course_id', 'enrollment_id', 'member_id', 'course_title', 'issued_at']),
      )
      .insertInto('certificates')
      .columns([
        ...(['id', 'course_id', 'enrollment_id', 'member_id', 'member_name'] as const),
        ...(['course_title', 'code', 'issued_at'] as const),
      ])
      .expression((from) =>
        from
          .selectFrom('old as o')
          .innerJoin('members as m', 'm.id', 'o.member_id')
          .select([
            sql<string>`${v.id}::uuid`.as('id'),
            ...(['o.course_id', 'o.enrollment_id', 'o.member_id'] as const),
            'm.full_name as member_name',
            'o.course_title',
            sql<Buffer>`${v.code}::bytea`.as('code'),
            'o.issued_at',
          ]),
      )
      .returning(columns),
)
  .map(toCertificate)
  .single()

/** Revokes a certificate. One that is revoked already keeps its day, and is not answered. */
export const setRevoked = defineQuery('revoke_certificate', (v: { id: string; reason: string | null }) =>
  query
    .updateTable('certificates')
    .set({ revoked_at: now, revoked_reason: v.reason })
    .where('id', '=', v.id)
    .where('revoked_at', 'is', null)
    .returning(columns),
)
  .map(toCertificate)
  .first()

/** The project of a certificate, for whoever knows all of its code; null where none has it. Asked from outside of any project. */
export const projectOfCode = defineQuery('certificate_project', (v: { code: Buffer }) =>
  query.selectNoFrom(sql<string | null>`app.certificate_project(${v.code}::bytea)`.as('project')),
)
  .map(({ project }) => project)
  .single()

/** @throws ApiError 404 */
export const getByCode = defineQuery('certificate_by_code', (v: { code: Buffer }) =>
  query
    .selectFrom('certificates')
    .select(['member_name', 'course_title', 'issued_at', 'revoked_at', 'replaced_by'])
    .where('code', '=', v.code),
).one('Certificate')
