import { courseId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { thumbnailUrl } from '../courses/rows.ts'
import type { Course } from '../courses/schema.ts'
import { certificateId, enrollmentId } from '../ids.ts'
import type { Enrollment, EnrollmentStatus, ListedEnrollment, Source } from './schema.ts'

export interface EnrollmentRow {
  id: string
  course_id: string
  member_id: string
  status: string
  progress_percentage: number
  source: string
  enrolled_at: string
  expires_at: string | null
  completed_at: string | null
  certificate_id: string | null
}

export const toEnrollment = (row: EnrollmentRow): Enrollment => ({
  id: toId(enrollmentId, row.id),
  course_id: toId(courseId, row.course_id),
  student_id: toId('member', row.member_id),
  status: row.status as EnrollmentStatus,
  progress_percentage: row.progress_percentage,
  source: row.source as Source,
  enrolled_at: row.enrolled_at,
  expires_at: row.expires_at,
  completed_at: row.completed_at,
  certificate_id: row.certificate_id === null ? null : toId(certificateId, row.certificate_id),
})

export interface ListedRow {
  id: string
  course_id: string
  status: string
  progress_percentage: number
  enrolled_at: string
  project_id: string
  title: string
  thumbnail_file_id: string | null
  level: string
  duration_hours: number
}

export function toListedEnrollment(row: ListedRow, baseUrl: string): ListedEnrollment {
  const url = thumbnailUrl(row, baseUrl)
  const id = toId(courseId, row.course_id)
  return {
    id: toId(enrollmentId, row.id),
    course_id: id,
    status: row.status as EnrollmentStatus,
    progress_percentage: row.progress_percentage,
    enrolled_at: row.enrolled_at,
    courses: {
      id,
      title: row.title,
      ...(url !== undefined && { thumbnail_url: url }),
      level: row.level as Course['level'],
      duration_hours: row.duration_hours,
    },
  }
}
