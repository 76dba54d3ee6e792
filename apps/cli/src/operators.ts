import { type Command, Option } from 'commander'
import { getProject, tenantOf } from '#areas/projects/service.ts'
import { notFound } from '#platform/errors.ts'
import { toId } from '#platform/ids.ts'
import {
  OPERATOR_ROLES,
  OPERATORS_PROJECT,
  type OperatorRole,
} from '#platform/operators/operators-project.ts'
import type { Operator } from './operator.ts'
import { print } from './print.ts'

type Run = (work: (operator: Operator) => Promise<void>) => Promise<void>

const loadOperators = () => import('#areas/auth/console/operators.ts')
const loadTeam = () => import('#areas/console/team/service.ts')

interface Person {
  readonly email: string
  readonly name?: string | undefined
  readonly administrator?: boolean | undefined
}

/** An operator who has just been made, or was there before. */
export interface MadeOperator {
  readonly id: string
  /** Logs in once, within 15 minutes. */
  readonly login_token: string
}

/**
 * Makes an operator where there is none with the address, and a token that logs in.
 * @param local whether the token works only at the page of this machine
 */
export async function ensureOperator(
  operator: Operator,
  { email, name, administrator }: Person,
  local = false,
): Promise<MadeOperator> {
  const { createOperator, findOperator, issueLogin, prepareOperator } = await loadOperators()
  const data = await operator.dataOf(OPERATORS_PROJECT)
  const noPassword = { hash: async () => '' }
  const prepared = await prepareOperator({ email, full_name: name, administrator }, noPassword)
  return data.write(async (ctx) => {
    const id = (await findOperator(ctx, email))?.id ?? (await createOperator(ctx, prepared))
    return { id: toId('operator', id), login_token: issueLogin(ctx, id, { local }) }
  })
}

/** Gives an operator a role in a project, in place of the present one. @throws ApiError 404; 422 LAST_OWNER */
export async function giveRole(
  operator: Operator,
  email: string,
  projectId: string,
  role: OperatorRole,
): Promise<void> {
  const { findOperator } = await loadOperators()
  const operators = await operator.dataOf(OPERATORS_PROJECT)
  const found = await operators.write((ctx) => findOperator(ctx, email))
  if (found === undefined) throw notFound('Operator')
  const { addToTeam, changeRole, isInTeam } = await loadTeam()
  const data = await operator.dataOf(await tenantOf(operator.operators, projectId, 'live'))
  await data.write(async (ctx) =>
    (await isInTeam(ctx, found.id)) ? changeRole(ctx, found.id, role) : addToTeam(ctx, found.id, role),
  )
}

/** The commands about operators of the console. */
export function addOperatorCommands(program: Command, run: Run): void {
  const json = new Option('--json', 'print the result as one JSON object')
  const operators = program
    .command('operator')
    .description('create operators of the console and give them roles')
  operators
    .command('create')
    .description('create an operator, or find the one with the address; the token logs in once')
    .requiredOption('--email <address>', 'the address of the operator')
    .option('--name <name>', 'a name for people')
    .option('--admin', 'an administrator of the installation, who sees all projects and sets limits')
    .addOption(json)
    .action((options) =>
      run(async (operator) => {
        const { email, name, admin } = options
        print(await ensureOperator(operator, { email, name, administrator: admin === true }), options.json)
      }),
    )
  operators
    .command('grant')
    .description('give an operator a role in a project')
    .requiredOption('--email <address>', 'the address of the operator')
    .requiredOption('--project <id>', 'the id of the project')
    .addOption(new Option('--role <role>', 'the role').choices([...OPERATOR_ROLES]).makeOptionMandatory())
    .addOption(json)
    .action((options) =>
      run(async (operator) => {
        const { email, project, role } = options
        await giveRole(operator, email, project, role)
        const { id } = await getProject(operator.operators, project)
        print({ email, project: id, role }, options.json)
      }),
    )
}
