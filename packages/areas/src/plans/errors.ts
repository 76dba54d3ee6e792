import { defineError, slugTakenBy } from '#platform/define-error.ts'

export const slugTaken = slugTakenBy('plan')
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
