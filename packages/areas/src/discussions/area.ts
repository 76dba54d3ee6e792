import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import { findComments } from './find-comments.job.ts'
import { searchSources } from './found.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { askModerationHook } from './moderation/ask-hook.job.ts'
import { discussionPosts } from './moderation/posts.ts'
import { releaseCommentFiles } from './release-comment-files.job.ts'
import { discussionRoutes } from './routes.ts'
import { fillDiscussionSpellings } from './threads/fill-spellings.due.ts'
import { discussionTopics } from './topics.ts'
import { discussionUnsubscribePages } from './unsubscribing/unsubscribe.ts'

export const discussions = defineArea({
  name: 'discussions',
  ids,
  permissions: ['community'],
  tags: {
    Discussions:
      'Discussions of members: categories, discussions and comments. Content is Markdown; `content_html` is safe to show in any page.',
    Moderation:
      'Posts that members report, and posts that wait for a moderator. A member with one of the moderator roles of the project moderates with their own token.',
  },
  routes: discussionRoutes,
  pages: discussionUnsubscribePages,
  errors,
  background: { jobs: [findComments, askModerationHook, releaseCommentFiles] },
  events,
  dueWork: [fillDiscussionSpellings],
  memberData,
  moderated: [discussionPosts],
  topics: [discussionTopics],
  searchSources,
})
