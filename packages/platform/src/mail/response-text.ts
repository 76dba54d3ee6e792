const LONGEST = 500

/** What a mail server said, as it is kept: one line without control characters, cut. */
export const toResponseText = (response: string): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
