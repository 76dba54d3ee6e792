/**
 * Whether an enhanced status code (RFC 3463) says that there is no such mailbox: `5.1.x` is about the address, save
 * `.7` and `.8`, which are about the sender's; `5.2.1` is a mailbox that was shut.
 */
export function isMailboxGone(status: string): boolean {
  const [, subject, detail] = /^5\.(\d{1,3})\.(\d{1,3})$/.exec(status) ?? []
  return (subject === '1' && detail !== '7' && detail !== '8') || (subject === '2' && detail === '1')
}

const LONGEST = 500

/** The response of a mail server, as it is stored: one line without control characters, cut. */
export const toResponseText = (response: string): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
