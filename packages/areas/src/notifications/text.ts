import type { About } from './about.ts'
import type { Kind } from './kinds.ts'

/** What a line of text needs of a notification. */
export interface Happening extends Pick<About, 'title' | 'words'> {
  readonly kind: string
  readonly target_type: string
  readonly detail: string | null
  readonly note: string | null
  readonly count: number
}

/** What `detail` says of a comment in the name of the team. */
export const OFFICIAL = 'official'

/** Letters of a post that a line shows. */
const EXCERPT = 200

/** What happened, in one line. @param actors the names of the last who did it */
export function textOf(happening: Happening, actors: readonly string[]): string {
  const { title, words, detail, note } = happening
  const isTeam = detail === OFFICIAL && actors.length === 0
  const who = isTeam ? 'The team' : namesOf(actors, happening.count)
  const where = title === null ? '' : ` “${title}”`
  const quoted = words ? `: ${shorten(words)}` : ''
  const post = `${POSTS[happening.target_type] ?? 'discussion'}${where}`
  const because = note ? `: ${shorten(note)}` : ''
  const texts: Readonly<Record<Kind, string>> = {
    reply: `${who} replied in${where}${quoted}`,
    mention: `${who} mentioned you in${where}${quoted}`,
    answer: `Your comment is the answer of${where}`,
    like: `${who} ${actors.length > 1 || happening.count > 1 ? 'like' : 'likes'} your ${post}`,
    feedback_status: `${where.trim()} is ${spaced(detail)}${because}`,
    moderation: `${ABOUT_MEMBERS[detail ?? ''] ?? `Your ${post} ${MODERATION[detail ?? ''] ?? 'was changed by a moderator'}`}${because}`,
    order: `Your order ${title ?? ''} is ${spaced(detail)}`,
    course: `${COURSE[detail ?? ''] ?? 'There is news of the course'}${where}`,
    certificate: `You got the certificate of${where}`,
    invitation: 'Your invitation is accepted: welcome',
    message: words ?? '',
  }
  return texts[happening.kind as Kind]
}

/** Decisions that are about the member, not about a post. */
const ABOUT_MEMBERS: Readonly<Record<string, string>> = {
  suspended: 'You are suspended',
  unsuspended: 'You are no longer suspended',
}
const POSTS: Readonly<Record<string, string>> = {
  comment: 'comment in',
  feedback: 'feedback',
  feedback_comment: 'comment on',
}
const MODERATION: Readonly<Record<string, string>> = {
  held: 'waits for a moderator',
  hidden: 'is hidden until a moderator decides',
  shown: 'was approved',
  removed: 'was removed',
  upheld: 'stays removed after your appeal',
}
const COURSE: Readonly<Record<string, string>> = {
  enrolled: 'You are enrolled in',
  completed: 'You have completed',
  expired: 'Your access has ended to',
}

const spaced = (word: string | null): string => (word ?? '').replaceAll('_', ' ')

function namesOf(actors: readonly string[], count: number): string {
  const [first = 'Somebody', second] = actors
  if (count <= 1 || second === undefined) return count <= 1 ? first : `${first} and ${count - 1} more`
  return count === 2 ? `${first} and ${second}` : `${first}, ${second} and ${count - 2} more`
}

function shorten(text: string): string {
  const line = [...text.replaceAll(/\s+/g, ' ').trim()]
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT).join('')}…` : line.join('')
}
