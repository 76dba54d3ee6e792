import { usePlans } from '../ui/plan-choice/plan-choice.tsx'

/** The plans of the project, archived ones too: for names, and to choose one. */
export function usePlanChoices() {
  const { data: plans = [] } = usePlans()
  const nameOf = (id: string): string => plans.find((plan) => plan.id === id)?.name ?? id
  return { plans, nameOf }
}
