const LONGEST = 500

/** The response of a mail server, as it is stored: one line without control characters, cut. */
export const toResponseText = (response: string): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
