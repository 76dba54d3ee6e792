/** How a kind reaches a member by mail. */
export const MAIL_MODES = ['now', 'daily', 'weekly', 'never'] as const
export type MailMode = (typeof MAIL_MODES)[number]

/**
 * The kinds of notifications, each with how it is mailed unless a member says otherwise, and what it is in words. A new kind goes to the
 * end, and none is removed: links that end mails carry the place of a kind, and mails with them are years old.
 */
export const KINDS = {
  reply: { mail: 'now', words: 'replies in your discussions and to your feedback' },
  mention: { mail: 'now', words: 'mentions of you' },
  answer: { mail: 'now', words: 'answers' },
  like: { mail: 'never', words: 'likes' },
  feedback_status: { mail: 'now', words: 'news of feedback that you voted for' },
  moderation: { mail: 'now', words: 'decisions about your posts' },
  // Buyers get a receipt and other mails of orders anyway.
  order: { mail: 'never', words: 'your orders' },
  course: { mail: 'never', words: 'your courses' },
  certificate: { mail: 'now', words: 'your certificates' },
  invitation: { mail: 'never', words: 'your invitation' },
  message: { mail: 'now', words: 'messages of the team' },
} as const satisfies Readonly<Record<string, { mail: MailMode; words: string }>>

export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]]

/** What a notification can be about. */
export const TARGETS = [
  'discussion',
  'comment',
  'feedback',
  'order',
  'course',
  'certificate',
  'member',
  'message',
] as const
export type Target = (typeof TARGETS)[number]
/** The same as it is stored: a comment on feedback is shown as its item, which has an address. */
export type StoredTarget = Target | 'feedback_comment'
