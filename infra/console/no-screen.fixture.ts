/** Operations that an operator may call and no screen calls, by the reason. */
export const NO_SCREEN: Readonly<Record<string, readonly string[]>> = {
  'Somebody logs in: operators log in as a member instead, and send a link to set a password': [
    ...['auth.signup', 'auth.login', 'auth.refresh', 'auth.magicLink.request', 'auth.magicLink.verify'],
    ...['auth.email.verify', 'auth.password.reset', 'auth.mfa.verify', 'auth.passkeys.beginLogin'],
    ...['auth.passkeys.login', 'auth.invitations.accept', 'auth.sso.connections.list', 'auth.sso.start'],
    'auth.sso.exchange',
  ],
  'A site tells what its visitors do': [
    ...['analytics.track', 'analytics.trackPageview', 'analytics.trackBatch', 'analytics.trackSite'],
    ...['forms.schema.get', 'forms.submissions.create'],
  ],
  'Members do it themselves, for themselves alone': [
    ...['discussions.like', 'discussions.unlike', 'discussions.subscribe', 'discussions.unsubscribe'],
    ...['discussions.read', 'comments.like', 'comments.unlike', 'user.mutes.list', 'user.mutes.set'],
    ...[
      'user.mutes.delete',
      'notifications.preferences.get',
      'notifications.preferences.update',
      'notifications.list',
      'notifications.unreadCount.get',
      'notifications.read',
    ],
    ...['help.articles.vote', 'help.articles.unvote', 'lms.courses.rate', 'lms.attempts.begin'],
    ...['lms.attempts.submit', 'moderation.appeal'],
  ],
  'Members fill and empty their carts: operators see the order that it becomes': [
    ...['shop.cart.get', 'shop.cart.items.create', 'shop.cart.delete', 'shop.cart.items.update'],
    ...['shop.cart.items.delete', 'shop.cart.discount.apply', 'shop.cart.discount.delete', 'shop.checkout'],
  ],
  'Operators decide on the case at once, and need not report it': ['reports.create'],
  'Readers look for it on the site: the screen of the thing itself shows it with more': [
    ...['help.search', 'help.articles.related.list', 'profiles.list', 'profiles.get', 'feedback.findSimilar'],
    'changelog.list',
  ],
  'The search of the console finds more, also by ids and addresses': ['search.list'],
  'A site asks whether it shows a page: the console explains the answer by `memberContent.explain`': [
    ...['memberContent.check', 'memberContent.checkBatch', 'memberContent.manifest.get'],
  ],
  'A list or another operation that the console calls answers the same': [
    ...['analytics.query', 'shop.orders.list'],
    ...['members.stats.get', 'forms.submissions.export'],
  ],
  'The console calls an operation for many, or a more general one': [
    // `moderation.bulk.create`, `lms.enrollments.update` and `lms.progress.record`.
    ...['moderation.approve', 'moderation.remove', 'lms.enrollments.delete', 'lms.progress.recordBatch'],
  ],
  'The console’s own API does it, because a key can be made there alone': ['apiKeys.delete'],
  'It is about the key of a program': ['apiKeys.self.get'],
  'Programs listen to events; the console reads lists again': ['stream.tickets.create', 'stream.open'],
}
