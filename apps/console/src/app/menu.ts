/** What the menu leads to, in its groups. An entry is the path of a screen below a side of a project. */
export const MENU = [
  {
    group: 'People',
    entries: [
      { name: 'Members', path: 'members' },
      { name: 'Invitations', path: 'invitations' },
      { name: 'Imports and exports', path: 'imports' },
    ],
  },
  {
    group: 'Money',
    entries: [
      { name: 'Plans', path: 'plans' },
      { name: 'Subscriptions', path: 'subscriptions' },
      { name: 'Bills', path: 'bills' },
      { name: 'Orders', path: 'orders' },
      { name: 'Products', path: 'products' },
      { name: 'Discounts', path: 'discounts' },
    ],
  },
  {
    group: 'Community',
    entries: [
      { name: 'Discussions', path: 'discussions' },
      { name: 'Moderation', path: 'moderation' },
      { name: 'Feedback', path: 'feedback' },
      { name: 'Roadmap', path: 'roadmap' },
      { name: 'Notifications', path: 'notifications' },
    ],
  },
  {
    group: 'Content',
    entries: [
      { name: 'Forms', path: 'forms' },
      { name: 'Help', path: 'help' },
      { name: 'Courses', path: 'courses' },
      { name: 'Page rules', path: 'page-rules' },
      { name: 'Files', path: 'files' },
    ],
  },
  {
    group: 'Insight',
    entries: [
      { name: 'Analytics', path: 'analytics' },
      { name: 'Events', path: 'events' },
      { name: 'Past exports', path: 'exports' },
    ],
  },
  {
    group: 'Developers',
    entries: [
      { name: 'Keys', path: 'keys' },
      { name: 'Webhooks', path: 'webhooks' },
      { name: 'Requests', path: 'requests' },
      { name: 'Mails', path: 'mails' },
    ],
  },
  {
    group: 'Settings',
    entries: [
      { name: 'General', path: 'settings/general' },
      { name: 'Log-in and SSO', path: 'settings/log-in' },
      { name: 'Mail', path: 'settings/mail' },
      { name: 'Payments', path: 'settings/payments' },
      { name: 'Test clock', path: 'settings/test-clock' },
      { name: 'Profiles and moderation', path: 'settings/community' },
      { name: 'Team', path: 'team' },
      { name: 'Audit log', path: 'settings/audit-log' },
      { name: 'Usage', path: 'settings/usage' },
      { name: 'Danger zone', path: 'settings/danger' },
    ],
  },
] as const
