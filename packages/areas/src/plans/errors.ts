import { defineError } from '#platform/define-error.ts'

export const slugTaken = defineError({
  code: 'SLUG_TAKEN',
  message: 'Another plan has this slug: choose another slug',
  details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
})
export const planIsDefault = defineError({
  code: 'PLAN_IS_DEFAULT',
  message: 'A project needs an active default plan: make another plan the default first',
})
export const planInUse = defineError({
  code: 'PLAN_IN_USE',
  message: 'Members are or were on this plan: archive it instead',
})
export const planRequired = defineError({
  code: 'PLAN_IN_USE',
  message: 'Protection rules require this plan: archive it instead',
})
