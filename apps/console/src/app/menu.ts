/** What the menu leads to, in its groups. An entry is the path of a screen below a side of a project. */
export const MENU = [
  { group: 'People', entries: [{ name: 'Members', path: 'members' }] },
  { group: 'Money', entries: [{ name: 'Orders', path: 'orders' }] },
  { group: 'Developers', entries: [{ name: 'Keys', path: 'keys' }] },
] as const
