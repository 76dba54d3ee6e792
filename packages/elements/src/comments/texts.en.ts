export const texts = {
  title: 'Comments',
  empty: 'Nobody has written anything yet.',
  write: 'Your comment',
  reply: 'Reply',
  replyTo: 'Reply to {name}',
  answer: 'Your reply to {name}',
  send: 'Send',
  files: 'Files',
  filesHelp: 'Pictures and documents, up to 25 MiB each',
  like: 'Like',
  likes: 'Like the comment of {name}, {n} likes',
  member: 'Member',
  removed: 'This comment was removed.',
  pending: 'Thank you! A moderator looks at your comment first.',
  edited: 'edited',
  locked: 'This discussion is closed.',
  logInToWrite: 'Log in to write and to like.',
  logIn: 'Log in',
  arrived: 'New comment of {name}',
  noThread: 'This element does not know its discussion. Set the attribute “thread”.',
}

export type CommentsKey = keyof typeof texts
