import { validate } from 'uuid'

/** A mail, and whose it is. */
export interface MailReference {
  readonly id: string
  readonly projectId: string
}

/** What a mail is called outside, by which a bounce finds back to it. The same at every attempt. */
export const messageIdOf = ({ id, projectId }: MailReference, domain: string): string =>
  `<${id}.${projectId}@${domain}>`

/** The mail that a Message-ID names, in angle brackets or without; undefined where it is none of ours. */
export function parseMessageId(text: string): MailReference | undefined {
  const [, id = '', projectId = ''] =
    /^\s*<?([0-9a-f-]{36})\.([0-9a-f-]{36})@[^\s<>@]+>?\s*$/.exec(text) ?? []
  return validate(id) && validate(projectId) ? { id, projectId } : undefined
}
