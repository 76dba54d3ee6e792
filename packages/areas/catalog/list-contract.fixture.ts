// What lists leave out of what the lists of screens take: `sort`, `order`, `search`, `start_date`, `end_date`.

type Taken = 'sort' | 'search' | 'dates' | 'page'

/** By the parameter that a list of a screen leaves out, why. */
export const LEFT_OUT: Readonly<Record<string, Partial<Readonly<Record<Taken, string>>>>> = {
  listProducts: { page: 'The reference gives it `limit` alone' },
  listCourses: { page: 'The reference gives it no page' },
  listEnrollments: {
    page: 'The reference gives it no page',
    search: 'It is what one member has, a few courses by their ids',
  },
  listCommentsOfMember: { search: 'GET /search finds comments by their words, also those of one author' },
  listModerationQueue: { search: 'GET /search finds posts by their words' },
  listExports: { search: 'What they are is in the filters; their files are named by the same' },
  listMemberImports: { search: 'What they are is in the filters' },
  listWebhookDeliveries: { search: 'They have no text; the filters name types and statuses' },
  listMemberEvents: { search: 'Their payloads have no index, and members have thousands of them' },
}

/** Lists that keep an order of their own and are read as they are, each with the reason. */
export const OTHERS: Readonly<Record<string, string>> = {
  getAnalyticsBreakdown: 'A report: it is sorted by the measure that it is asked for',
  listAnalyticsEvents: 'A report with filters of its own; it is always in the order of time',
  listGoals: 'A project has 100 at the most',
  listSsoConnections: 'A project has 100 at the most',
  listPaymentAccounts: 'A project has 50 at the most',
  listModerationRules: 'A project has 100 at the most, in the order in which they apply',
  listDiscussionCategories: 'A project has 500 at the most, in the order that the team gives them',
  listHelpCategories: 'A project has 500 at the most, in the order that the team gives them',
  getChangelog: 'It is in the order in which things were done',
  search: 'It is sorted by how well things match',
  searchArticles: 'It is sorted by how well articles match',
  listComments: 'A tree, whose orders keep replies together',
  listDiscussionRevisions: 'A part of one discussion',
  listCommentRevisions: 'A part of one comment',
  listFeedbackComments: 'A part of one item',
  listFeedbackStatusChanges: 'A part of one item',
  listVoters: 'A part of one item',
  listFormVersions: 'A part of one form',
  listArticleVersions: 'A part of one article',
  listCourseRatings: 'A part of one course',
  getGradebook: 'A part of one course, in the order of its members',
  listSubscriptionHistory: 'A part of one subscription',
  getMemberCredit: 'A part of one member, an account whose entries follow each other',
  listStockMoves: 'A part of one variant, an account whose entries follow each other',
  listOwnOrders: 'What a member sees of their own; GET /orders is the list of a team',
  listNotifications: 'What a member sees of their own',
  listMutes: 'What a member sees of their own',
  listSuspensions: 'Members are listed by GET /members; this is the list of their sentences',
}

/** Lists without pages, each with the reason: they are short by themselves, or are read in another way. */
export const WHOLE: Readonly<Record<string, string>> = {
  listEvents: 'A log, which is read on from an event that is known: it takes `after`',
  listApiKeys:
    'The reference gives it no page; 500 keys work at the most, and all of them are looked at together',
  getRoadmap:
    'A board: so many items of each status as `limit` says; GET /feedback pages, sorts and searches one status',
  findProfiles: 'It answers the ids that were sent, or ten names for the completion of mentions',
  findSimilarFeedback: 'The few items that are most alike',
  listSimilarFeedback: 'The few items that are most alike',
  listRelatedArticles: 'The few articles that are most alike',
  listEnrollmentBlockers: 'A part of one enrollment: the lessons of one course',
  listEventTypes: 'The types that the API knows, which are the same for every project',
  listFactors: 'A part of one member, who has a few',
  listMemberSessions: 'A part of one member, in the order of their use',
  listSessions: 'A part of one member, in the order of their use',
  listMailTemplates: 'The mails that the API knows, which are the same for every project',
  listOfferedSsoConnections:
    'What a log-in page shows of the connections, of which a project has 100 at the most',
  listVariants: 'A part of one product, which has 100 at the most',
}
