import type { ProtectionRuleInFull } from '@guildhall/sdk'
import { t } from '../../data/words.ts'

/** What a rule asks of members. */
type Needs = Pick<ProtectionRuleInFull, 'required_plans' | 'features' | 'after_days' | 'free_views'>

/** What a rule asks, in one line. @param nameOf the name of a plan */
export function neededWords(
  { required_plans, features, after_days, free_views }: Needs,
  nameOf: (plan: string) => string,
): string {
  const parts = [
    required_plans.length === 0
      ? t('Every active member')
      : t('Members on {plans}', { plans: required_plans.map(nameOf).join(', ') }),
    ...(features.length === 0 ? [] : [t('with {features}', { features: features.join(', ') })]),
    ...(after_days === null ? [] : [t('after {days} {days:day|days}', { days: after_days })]),
    ...(free_views === null ? [] : [t('others {views} {views:page|pages} a month', { views: free_views })]),
  ]
  return parts.join(' · ')
}

/** Why a page may be seen or not, in a sentence. */
export const reasonInWords = (reason: string): string =>
  ({
    public: t('No rule protects this address.'),
    allowed: t('The rule lets this member see it.'),
    login_required: t('Somebody has to log in first.'),
    plan_required: t('The member is on none of the plans.'),
    feature_required: t('The member lacks a feature.'),
    too_new: t('The member has not been a member for long enough.'),
    free_views_used: t('The free pages of this month are used up.'),
    inactive: t('The member is not active.'),
    invalid_url: t('This is no address that a page can have.'),
  })[reason] ?? reason
