/** What the menu leads to, in its groups. An entry is the path of a screen below a side of a project. */
export const MENU = [
  {
    group: 'People',
    entries: [{ name: 'Members', path: 'members' }],
  },
  {
    group: 'Money',
    entries: [{ name: 'Orders', path: 'orders' }],
  },
  {
    group: 'Community',
    entries: [{ name: 'Discussions', path: 'discussions' }],
  },
  {
    group: 'Developers',
    entries: [
      { name: 'Keys', path: 'keys' },
      { name: 'Webhooks', path: 'webhooks' },
      { name: 'Requests', path: 'requests' },
    ],
  },
  {
    group: 'Settings',
    entries: [{ name: 'Team', path: 'team' }],
  },
] as const
