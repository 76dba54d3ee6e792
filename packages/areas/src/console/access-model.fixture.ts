// Who may do what with projects, as api-design §16 says it and by nothing of the code: roles that change and end, tokens that end with
// them, invitations, deleted and suspended projects.

export type Role = 'viewer' | 'admin' | 'owner'
/** An operator, by a number. */
export type Op = number

const RANK: Readonly<Record<Role, number>> = { viewer: 0, admin: 1, owner: 2 }

export const OK = 'ok'
export const LOGGED_OUT = '401 INVALID_TOKEN'
export const FORBIDDEN = '403 INSUFFICIENT_PERMISSIONS'
export const MISSING = '404 NOT_FOUND'
export const SUSPENDED = '403 PROJECT_SUSPENDED'

/** A role in a project; another one is another grant, even if it is the same role once more. */
interface Grant {
  readonly role: Role
}
interface Invitation {
  role: Role
  isOpen: boolean
}
interface Project {
  readonly team: Map<Op, Grant>
  readonly invitations: Map<Op, Invitation>
  isDeleted: boolean
  isSuspended: boolean
}
/** A token of the data of a project, or one of a member as whom an operator is logged in. */
export interface ModelToken {
  readonly project: number
  readonly op: Op
  readonly session: object
  readonly grant: Grant
}

/** What somebody needs: a role in the project, or to be an administrator of the installation. */
export type Needed = Role | 'administrator'

export class AccessModel {
  readonly projects: Project[] = []
  /** Undefined: the operator is logged out. */
  readonly sessions = new Map<Op, object>()
  readonly #administrators: ReadonlySet<Op>

  constructor(operators: number, administrators: readonly Op[]) {
    this.#administrators = new Set(administrators)
    for (let op = 0; op < operators; op++) this.logIn(op)
  }

  logIn(op: Op): void {
    this.sessions.set(op, {})
  }

  addProject(owner: Op): void {
    const team = new Map<Op, Grant>([[owner, { role: 'owner' }]])
    this.projects.push({ team, invitations: new Map(), isDeleted: false, isSuspended: false })
  }

  at(project: number): Project {
    const found = this.projects[project]
    if (found === undefined) throw new Error(`there is no project ${project}`)
    return found
  }

  /** Why an operator may not do it; undefined where it is done if nothing else stands in the way. */
  refusal(op: Op, project: number, needed: Needed): string | undefined {
    if (!this.sessions.has(op)) return LOGGED_OUT
    if (needed === 'administrator') return this.#administrators.has(op) ? undefined : FORBIDDEN
    const grant = this.at(project).team.get(op)
    if (grant === undefined) return MISSING
    return RANK[grant.role] >= RANK[needed] ? undefined : FORBIDDEN
  }

  #isLastOwner(project: number, op: Op): boolean {
    const owners = [...this.at(project).team].filter(([, { role }]) => role === 'owner')
    return owners.length === 1 && owners[0]?.[0] === op
  }

  add(actor: Op, project: number, { target, role }: { target: Op; role: Role }): string {
    const { team } = this.at(project)
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    if (team.has(target)) return '422 IN_TEAM'
    team.set(target, { role })
    return OK
  }

  setRole(actor: Op, project: number, { target, role }: { target: Op; role: Role }): string {
    const { team } = this.at(project)
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    const before = team.get(target)
    if (before === undefined) return MISSING
    if (before.role === role) return OK
    if (this.#isLastOwner(project, target)) return '422 LAST_OWNER'
    team.set(target, { role })
    return OK
  }

  remove(actor: Op, project: number, target: Op): string {
    const { team } = this.at(project)
    const refusal = this.refusal(actor, project, actor === target ? 'viewer' : 'owner')
    if (refusal !== undefined) return refusal
    if (!team.has(target)) return MISSING
    if (this.#isLastOwner(project, target)) return '422 LAST_OWNER'
    team.delete(target)
    return OK
  }

  transfer(actor: Op, project: number, target: Op): string {
    const { team } = this.at(project)
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    const before = team.get(target)
    if (before === undefined) return '422 VALIDATION_ERROR'
    if (target === actor) return OK
    if (before.role !== 'owner') team.set(target, { role: 'owner' })
    team.set(actor, { role: 'admin' })
    return OK
  }

  /** One invitation of each address: a second one takes the place of the first. */
  invite(actor: Op, project: number, { target, role }: { target: Op; role: Role }): string {
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    this.at(project).invitations.set(target, { role, isOpen: true })
    return OK
  }

  withdraw(actor: Op, project: number, target: Op): string {
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    return this.at(project).invitations.delete(target) ? OK : MISSING
  }

  /** @param invited whose invitation it is */
  accept(actor: Op, project: number, invited: Op): string {
    if (!this.sessions.has(actor)) return LOGGED_OUT
    const { team, invitations, isDeleted } = this.at(project)
    const invitation = actor === invited && !isDeleted ? invitations.get(invited) : undefined
    if (!invitation?.isOpen) return MISSING
    if (team.has(actor)) return '422 IN_TEAM'
    invitations.delete(invited)
    team.set(actor, { role: invitation.role })
    return OK
  }

  delete(actor: Op, project: number): string {
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    this.at(project).isDeleted = true
    return OK
  }

  restore(actor: Op, project: number): string {
    const refusal = this.refusal(actor, project, 'owner')
    if (refusal !== undefined) return refusal
    const found = this.at(project)
    if (!found.isDeleted) return MISSING
    found.isDeleted = false
    return OK
  }

  suspend(actor: Op, project: number, isSuspended: boolean): string {
    const refusal = this.refusal(actor, project, 'administrator')
    if (refusal !== undefined) return refusal
    if (this.at(project).isDeleted) return MISSING
    this.at(project).isSuspended = isSuspended
    return OK
  }

  /** A token for the data; of a member, it needs a role that may change things. */
  token(op: Op, project: number, needed: Role): ModelToken | string {
    const refusal = this.refusal(op, project, needed)
    if (refusal !== undefined) return refusal
    const { team, isDeleted } = this.at(project)
    if (isDeleted) return MISSING
    return { project, op, session: this.sessions.get(op) as object, grant: team.get(op) as Grant }
  }

  /** What the data answer a token: it ends with its session, with its grant and with the project. */
  use({ project, op, session, grant }: ModelToken, reads: boolean): string {
    const { team, isDeleted, isSuspended } = this.at(project)
    const stands = this.sessions.get(op) === session && team.get(op) === grant && !isDeleted
    if (!stands) return LOGGED_OUT
    if (isSuspended) return SUSPENDED
    return reads || grant.role !== 'viewer' ? OK : FORBIDDEN
  }
}
