import { type Static, Type } from 'typebox'
import { envelope, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { Environment, Role } from '../projects/schema.ts'
import { ProjectId } from '../schema.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const ClientId = Type.Optional(
  Type.String({ maxLength: 120, description: 'The name of the program', examples: ['guildhall-cli'] }),
)
const Scope = Type.Optional(
  Type.String({ maxLength: 1_000, description: 'Ignored: the operator chooses the project', examples: [''] }),
)

export const CodeRequest = strict(
  {
    client_id: ClientId,
    client_name: Type.Optional(
      Type.String({
        maxLength: 120,
        description: 'The page shows it beside the code: the program and its machine',
        examples: ['ada on laptop'],
      }),
    ),
    scope: Scope,
  },
  { title: 'DeviceCodeRequest', examples: [{ client_id: 'guildhall-cli', client_name: 'ada on laptop' }] },
)

const UserCode = Type.String({
  maxLength: 40,
  description: 'The code that the operator types. Case and hyphens make no difference',
  examples: ['BDFH-JLNP'],
})

export const DeviceCode = Type.Object(
  {
    device_code: Type.String({
      description: 'The program keeps it, and exchanges it',
      examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS'],
    }),
    user_code: UserCode,
    verification_uri: Type.String({
      description: 'The page on which the code is typed',
      examples: ['https://api.example.com/console/api/device'],
    }),
    verification_uri_complete: Type.String({
      description: 'The same page with the code in it',
      examples: ['https://api.example.com/console/api/device?user_code=BDFH-JLNP'],
    }),
    expires_in: Type.Integer({ description: 'For how many seconds the codes work', examples: [900] }),
    interval: Type.Integer({ description: 'Seconds between two questions at least', examples: [5] }),
  },
  { title: 'DeviceCode' },
)

export const TokenRequest = strict(
  {
    client_id: ClientId,
    scope: Scope,
    grant_type: oneOf([DEVICE_GRANT, 'refresh_token'], { description: 'What is exchanged' }),
    device_code: Type.Optional(Type.String({ maxLength: 200, description: 'Of `POST /device/code`' })),
    refresh_token: Type.Optional(Type.String({ maxLength: 200, description: 'Of an answer before' })),
  },
  {
    title: 'DeviceTokenRequest',
    examples: [{ grant_type: DEVICE_GRANT, device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS' }],
  },
)

export const DeviceToken = Type.Object(
  {
    access_token: Type.String({
      description: 'A token for `/api/v1`: send it as `Authorization: Bearer`',
      examples: ['eyJhbGciOiJFUzI1NiJ9…'],
    }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'For how many seconds the access token works', examples: [600] }),
    refresh_token: Type.Optional(
      Type.String({
        description:
          'Only once, for the device code. It works until its session ends, or nobody uses it for 7 days',
        examples: ['tGzv3JOkF0XG5Qx2TlKWIA3r5uTgX8lV0cYbQ1mPzHs'],
      }),
    ),
    email: Type.String({ description: 'The operator', examples: ['ada@example.com'] }),
    project: Type.Object(
      { id: ProjectId, name: Type.String({ description: 'The name of the project', examples: ['Library'] }) },
      { title: 'DeviceProject', description: 'The project that the token opens' },
    ),
    environment: Environment,
    role: Role,
  },
  { title: 'DeviceToken' },
)
export type DeviceToken = Static<typeof DeviceToken>

export const RevokeRequest = strict(
  {
    client_id: ClientId,
    token: Type.String({ maxLength: 200, description: 'A refresh token' }),
    token_type_hint: Type.Optional(Type.String({ maxLength: 40, description: 'Ignored' })),
  },
  { title: 'DeviceRevocation', examples: [{ token: 'tGzv3JOkF0XG5Qx2TlKWIA3r5uTgX8lV0cYbQ1mPzHs' }] },
)
export const Revoked = Type.Object(
  { revoked: Type.Boolean({ description: 'False if it had ended before', examples: [true] }) },
  { title: 'DeviceRevoked' },
)

export const ByCode = strict({ user_code: UserCode })

export const WaitingDevice = Type.Object(
  {
    user_code: UserCode,
    client_name: Type.String({ description: 'As the program names itself', examples: ['ada on laptop'] }),
    address: Type.String({ description: 'The address of the machine that asks', examples: ['203.0.113.7'] }),
    created_at: Timestamp({ description: 'When it asked' }),
    expires_at: Timestamp({ description: 'When the code ends' }),
  },
  { title: 'WaitingDevice' },
)
export const WaitingAnswer = envelope(WaitingDevice)

export const Approval = strict(
  {
    user_code: UserCode,
    decision: oneOf(['approve', 'deny'], { description: 'Whether the program is logged in' }),
    project_id: Type.Optional(Type.String({ ...ProjectId, description: 'The project; required to approve' })),
    environment: Type.Optional({
      ...Environment,
      description: 'The side of the project; required to approve',
    }),
  },
  {
    title: 'DeviceApproval',
    examples: [
      {
        ...{ user_code: 'BDFH-JLNP', decision: 'approve' },
        ...{ project_id: 'proj_01jcq3k8f7e8qtk4m3hbw7rn2c', environment: 'test' },
      },
    ],
  },
)
export type Approval = Static<typeof Approval>
export const Decided = envelope(
  Type.Object(
    { decision: oneOf(['approve', 'deny'], { description: 'What was decided' }) },
    { title: 'DeviceDecision' },
  ),
)
