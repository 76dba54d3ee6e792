import { type Static, Type } from 'typebox'
import { Plan } from '#areas/plans/schema.ts'
import { MemberId } from '../schema.ts'

const { id, name, slug, rank, status, features, limits } = Plan.properties

export const Entitlements = Type.Object(
  {
    member_id: MemberId,
    active: Type.Boolean({
      description: 'Whether the member may use the plan now: true while its status is `active`',
      examples: [true],
    }),
    plan: Type.Object({ id, name, slug, rank, status }, { description: 'The plan that the member is on' }),
    features: { ...features, description: 'Keys of what is open to the member; empty unless `active`' },
    limits: {
      ...limits,
      description: 'The numbers and settings of the plan; empty unless `active`',
    },
  },
  { title: 'Entitlements' },
)
export type Entitlements = Static<typeof Entitlements>
