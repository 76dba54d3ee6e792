import { courseId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { certificateId, enrollmentId } from '../ids.ts'
import { shownCode } from './code.ts'
import type { Certificate } from './schema.ts'

/** What every query for certificates reads. */
export const certificateColumns = [
  't.id',
  't.course_id',
  't.enrollment_id',
  't.member_id',
  't.member_name',
  't.course_title',
  't.code',
  't.issued_at',
  't.revoked_at',
] as const

export interface CertificateRow {
  id: string
  course_id: string
  enrollment_id: string | null
  member_id: string
  member_name: string
  course_title: string
  code: Buffer
  issued_at: string
  revoked_at: string | null
}

export const toCertificate = (row: CertificateRow): Certificate => ({
  id: toId(certificateId, row.id),
  course_id: toId(courseId, row.course_id),
  enrollment_id: row.enrollment_id === null ? null : toId(enrollmentId, row.enrollment_id),
  student_id: toId('member', row.member_id),
  student_name: row.member_name,
  course_title: row.course_title,
  code: shownCode(row.code),
  issued_at: row.issued_at,
  revoked_at: row.revoked_at,
})
