/** Words as a part of an address: `createMember` and `Create member` are `create-member`. */
export const slugOf = (words: string): string =>
  words
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
