/** German: people: members and invitations. */
export const PEOPLE: Readonly<Record<string, string>> = {}
