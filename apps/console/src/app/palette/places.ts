/**
 * The screens of things that a search finds, below a side of a project, by the type of the thing: the first one that there is
 * opens it. `$id` is the id of the thing that has it, else its own; another place is its own.
 */
const PLACES: Readonly<Record<string, readonly string[]>> = {
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
  /** What the screen opens with. */
  readonly search?: Readonly<Record<string, string>>
}

/** Screens that the menu does not name, and what can be done, by the screen on which it is done. */
export const NAMED: readonly Named[] = [
  { name: 'Categories of discussions', path: 'discussion-categories' },
  { name: 'Moderation rules', path: 'moderation/rules' },
  { name: 'Suspended members', path: 'moderation/suspensions' },
  { name: 'Add a member', path: 'members', search: { do: 'create' } },
  { name: 'Invite a member', path: 'invitations', search: { do: 'invite' } },
  { name: 'Import members', path: 'imports' },
  { name: 'Create a plan', path: 'plans' },
  { name: 'Create a product', path: 'products' },
  { name: 'Create a discount', path: 'discounts' },
  { name: 'Create a form', path: 'forms' },
  { name: 'Create a course', path: 'courses' },
  { name: 'Write an article', path: 'help' },
  { name: 'Start a discussion', path: 'discussions' },
  { name: 'Moderate posts', path: 'moderation' },
  { name: 'Create a key', path: 'keys' },
  { name: 'Create a webhook', path: 'webhooks' },
  { name: 'Invite to the team', path: 'team' },
]
