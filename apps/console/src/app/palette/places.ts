/**
 * The screens of things that a search finds, below a side of a project, by the type of the thing: the first one that there is
 * opens it. `$id` is the id of the thing that has it, else its own; another place is its own.
 */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  member: ['members/$id'],
  invitation: ['invitations'],
  plan: ['plans/$id'],
  subscription: ['subscriptions/$id'],
  bill: ['bills/$id'],
  order: ['orders/$id'],
  product: ['products/$id'],
  discount: ['discounts/$id'],
  form: ['forms/$id'],
  article: ['help/$id', 'help/articles/$id', 'articles/$id'],
  course: ['courses/$id'],
  lesson: ['courses/$id/lessons/$lesson'],
  enrollment: ['courses/$id/enrollments/$enrollment'],
  submission: ['forms/$id/submissions/$submission', 'forms/$id/$submission'],
  comment: ['discussions/$id'],
  feedback_comment: ['feedback/$id'],
  delivery: ['webhooks/$id/$delivery'],
  discussion: ['discussions/$id'],
  discussion_category: ['discussion-categories'],
  moderation_case: ['moderation/$id', 'moderation'],
  feedback: ['feedback/$id'],
  page_rule: ['page-rules/$id'],
  file: ['files/$id'],
  mail: ['mails/$id', 'mails'],
  import: ['imports/$id'],
  session: ['members/$id'],
  factor: ['members/$id'],
  grant: ['members/$id'],
  credit_entry: ['members/$id'],
  notification: ['members/$id'],
  mute: ['members/$id'],
  cart: ['members/$id'],
  cart_item: ['members/$id'],
  order_payment: ['orders/$id'],
  bill_payment: ['bills/$id'],
  order_refund: ['orders/$id'],
  bill_refund: ['bills/$id'],
  order_line: ['orders/$id'],
  bill_line: ['bills/$id'],
  subscription_move: ['subscriptions/$id'],
  variant: ['products/$id/$variant'],
  stock_move: ['products/$id'],
  module: ['courses/$id'],
  quiz: ['courses/$id'],
  attempt: ['courses/$id/enrollments'],
  certificate: ['courses/$id/enrollments'],
  revision: ['discussions/$id'],
  appeal: ['moderation'],
  moderation_rule: ['moderation/rules/$id'],
  status_change: ['feedback/$id'],
  help_category: ['help/categories'],
  goal: ['analytics/goals'],
  message: ['notifications'],
  suppression: ['mails/suppressed'],
  export: ['exports'],
  community_import: ['imports'],
  sso_connection: ['settings/log-in/$id'],
  payment_account: ['settings/payments/$id'],
  event: ['events/$id'],
  webhook: ['webhooks/$id'],
  key: ['keys'],
  request: ['requests/$id'],
}

/** Something that was found. */
export interface Found {
  readonly type: string
  readonly id: string
  readonly parent_id: string | null
  readonly title: string | null
  readonly exact: boolean
}

/**
 * Where something that was found is shown, or undefined where it has no screen.
 * @param hasScreen whether the router knows a path below a side
 */
export const placeOf = (
  { type, id, parent_id: parent }: Found,
  hasScreen: (path: string) => boolean,
): string | undefined =>
  PLACES[type]
    ?.find(hasScreen)
    ?.replace('$id', parent ?? id)
    .replace(/\$\w+/, id)

interface Named {
  readonly name: string
  readonly path: string
  /** What its button says there. Default: its name. Without a button it is a screen. */
  readonly press?: string | false
  /** Admins are not offered it. */
  readonly ownersOnly?: true
}

/** Screens that the menu does not name, and what can be done, by the screen on which it is done. */
export const NAMED: readonly Named[] = [
  { name: 'Categories of discussions', path: 'discussion-categories', press: false },
  { name: 'Categories of the help center', path: 'help/categories', press: false },
  { name: 'Moderation rules', path: 'moderation/rules', press: false },
  { name: 'Suspended members', path: 'moderation/suspensions', press: false },
  { name: 'Test a text', path: 'moderation/test', press: false },
  { name: 'Explain an address', path: 'page-rules/explain', press: false },
  { name: 'Texts of mails', path: 'settings/mail/templates', press: false },
  { name: 'Suppressed addresses', path: 'mails/suppressed', press: false },
  { name: 'Goals', path: 'analytics/goals', press: false },
  { name: 'Funnel', path: 'analytics/funnel', press: false },
  { name: 'Retention', path: 'analytics/retention', press: false },
  { name: 'What readers look for', path: 'help/insights', press: false },
  { name: 'Create a page rule', path: 'page-rules/new', press: false },
  { name: 'Import members', path: 'imports', press: false },
  { name: 'Moderate posts', path: 'moderation', press: false },
  { name: 'Write a notification', path: 'notifications', press: false },
  { name: 'Add a member', path: 'members' },
  { name: 'Invite a member', path: 'invitations', press: 'Invite' },
  { name: 'Create a plan', path: 'plans', press: 'New plan' },
  { name: 'Create a product', path: 'products', press: 'New product' },
  { name: 'Create a discount', path: 'discounts', press: 'New discount' },
  { name: 'Start a discussion', path: 'discussions' },
  { name: 'Create a category of discussions', path: 'discussion-categories', press: 'Create a category' },
  { name: 'Create a moderation rule', path: 'moderation/rules', press: 'Create a rule' },
  { name: 'Add an item of feedback', path: 'feedback', press: 'Add an item' },
  { name: 'Create a form', path: 'forms' },
  { name: 'Write an article', path: 'help' },
  { name: 'Create a category of the help center', path: 'help/categories', press: 'Create a category' },
  { name: 'Create a course', path: 'courses' },
  { name: 'Upload files', path: 'files' },
  { name: 'Create a goal', path: 'analytics/goals' },
  { name: 'Create a key', path: 'keys' },
  { name: 'Create a webhook', path: 'webhooks' },
  { name: 'Connect a provider', path: 'settings/log-in' },
  { name: 'Add a payment account', path: 'settings/payments', press: 'Add an account' },
  { name: 'Invite to the team', path: 'team', press: 'Invite' },
  { name: 'Delete the project', path: 'settings/danger', ownersOnly: true },
]

/** What the button of a named act says; undefined for a screen. */
export const buttonOf = ({ name, press }: Named): string | undefined =>
  press === false ? undefined : (press ?? name)
