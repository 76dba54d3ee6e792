import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const invitationId = defineId('inv', 'Invitation')
export const factorId = defineId('fac', 'Factor')
export const connectionId = defineId('sso', 'SSO connection')
