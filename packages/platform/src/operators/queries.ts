import { sql } from 'kysely'
import { defineLookup } from '../db/query.ts'
import { query } from '../db/statement.ts'
import { ADMINISTRATOR, type OperatorRole } from './operators-project.ts'

/** The role of an operator in the current project, or undefined. Ask it of the live side. */
export const findRole = defineLookup('operator_role', (v: { operatorId: string }) =>
  query.selectFrom('team_members').select(['role', 'grant_id']).where('id', '=', v.operatorId),
)
  .map(({ role, grant_id }) => ({ role: role as OperatorRole, grantId: grant_id }))
  .first()

/** Whether an operator administers the installation. Ask it of the project of operators. */
export const findAdministrator = defineLookup('administrator', (v: { operatorId: string }) =>
  query
    .selectFrom('members')
    .select('id')
    .where('id', '=', v.operatorId)
    .where('role', '=', ADMINISTRATOR)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null),
).first()

/** The session of an operator who has done nothing by hand for longer than is wanted of it, or undefined. Ask it of the project of operators. */
export const findIdleSession = defineLookup('idle_session', (v: { sessionId: string }) =>
  query
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', v.sessionId)
    .where(sql<boolean>`greatest(active_at, created_at) < now() - make_interval(mins => idle_minutes)`),
).first()
