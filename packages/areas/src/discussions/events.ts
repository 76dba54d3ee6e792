import { type Static, Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { nullable, oneOf } from '#platform/http/envelope.ts'
import { exampleOf } from '#platform/http/example.ts'
import { AppealData, DecidedAppealData } from './appeals/schema.ts'
import { Comment, CommentData, Discussion, DiscussionData } from './schema.ts'

const discussion = exampleOf(DiscussionData)
const comment = exampleOf(CommentData)

const RemovedDiscussion = Type.Object({
  id: Discussion.properties.id,
  author_id: Discussion.properties.author_id,
  category: Discussion.properties.category,
})
const RemovedComment = Type.Object({
  id: Comment.properties.id,
  discussion_id: Comment.properties.discussion_id,
  author_id: Discussion.properties.author_id,
})
const Report = Type.Object({
  id: Type.String({ examples: ['rep_01jcq3k8f7e8qtk4m3hbw7rn2f'] }),
  target_id: Type.String({ examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2f'] }),
  member_id: Type.String({
    description: 'The member who reported it',
    examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
  }),
  reason: Type.String({ examples: ['spam'] }),
})
const Resolved = Type.Object({
  id: Report.properties.id,
  target_id: Report.properties.target_id,
  decision: oneOf(['approved', 'removed'], { examples: ['removed'] }),
  reason: nullable(Type.String({ examples: ['Advertising'] })),
})
const ModeratedPost = Type.Object({
  id: Type.String({
    description: 'The id of the discussion, of the item of feedback, or of the comment',
    examples: ['cmt_01jcq3k8f7e8qtk4m3hbw7rn2g'],
  }),
  discussion_id: nullable({
    ...Comment.properties.discussion_id,
    description: 'The discussion; null for feedback and its comments',
  }),
  feedback_id: Type.Optional(
    Type.String({
      description: 'The item of feedback; left out for discussions',
      examples: ['fb_01jcq3k8f7e8qtk4m3hbw7rn2g'],
    }),
  ),
  author_id: nullable({
    ...Discussion.properties.author_id,
    description: 'The author; null if no member is named',
  }),
  by_hook: Type.Optional(
    Type.Literal(true, {
      description: 'Present if the moderation hook is asked or has decided, and no moderator has to look',
    }),
  ),
})
export type ModeratedPost = Static<typeof ModeratedPost>
const post = exampleOf(ModeratedPost)
const removedDiscussion = exampleOf(RemovedDiscussion)
const removedComment = exampleOf(RemovedComment)

export const discussionCreated = defineEvent({
  name: 'discussion.created',
  description: 'A discussion was created, and everybody with access can see it',
  data: DiscussionData,
  member: ({ author_id }) => author_id,
  example: discussion,
})
export const discussionUpdated = defineEvent({
  name: 'discussion.updated',
  description: 'A discussion was edited, moved, pinned or locked',
  data: DiscussionData,
  member: ({ author_id }) => author_id,
  example: discussion,
})
export const discussionRemoved = defineEvent({
  name: 'discussion.removed',
  description: 'A discussion was removed by its author or a moderator',
  data: RemovedDiscussion,
  member: ({ author_id }) => author_id,
  example: removedDiscussion,
})
export const discussionAnswered = defineEvent({
  name: 'discussion.answered',
  description: 'A comment was marked as the answer, or the comment that is the answer is shown again',
  data: DiscussionData,
  member: ({ author_id }) => author_id,
  example: discussion,
})
export const discussionUnanswered = defineEvent({
  name: 'discussion.unanswered',
  description:
    'A discussion has no answer any more: somebody removed the mark, or the comment was removed or hidden',
  data: DiscussionData,
  member: ({ author_id }) => author_id,
  example: discussion,
})
export const commentCreated = defineEvent({
  name: 'comment.created',
  description: 'A comment was created, and everybody with access can see it',
  data: CommentData,
  member: ({ author_id }) => author_id,
  example: comment,
})
export const commentUpdated = defineEvent({
  name: 'comment.updated',
  description: 'A comment was edited',
  data: CommentData,
  member: ({ author_id }) => author_id,
  example: comment,
})
export const commentRemoved = defineEvent({
  name: 'comment.removed',
  description: 'A comment was removed by its author or a moderator',
  data: RemovedComment,
  member: ({ author_id }) => author_id,
  example: removedComment,
})
export const postHeld = defineEvent({
  name: 'post.held',
  description:
    'A new discussion, item of feedback or comment waits for a moderator, or for the moderation hook',
  data: ModeratedPost,
  member: ({ author_id }) => author_id,
  example: post,
})
export const postHidden = defineEvent({
  name: 'post.hidden',
  description:
    'A discussion, an item of feedback or a comment is hidden until a moderator or the moderation hook decides: it was reported, or its text has changed',
  data: ModeratedPost,
  member: ({ author_id }) => author_id,
  example: post,
})
export const postShown = defineEvent({
  name: 'post.shown',
  description: 'A discussion, an item of feedback or a comment that was held or hidden was approved',
  data: ModeratedPost,
  member: ({ author_id }) => author_id,
  example: post,
})
const likedPost = (who: string) =>
  Type.Object({
    id: ModeratedPost.properties.id,
    discussion_id: Comment.properties.discussion_id,
    author_id: Discussion.properties.author_id,
    member_id: Type.String({ description: who, examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] }),
  })
const LikedPost = likedPost('The member who likes it')
const UnlikedPost = likedPost('The member who liked it')
export const postLiked = defineEvent({
  name: 'post.liked',
  description: 'A member likes a discussion or a comment',
  data: LikedPost,
  member: ({ member_id }) => member_id,
  example: exampleOf(LikedPost),
})
export const postUnliked = defineEvent({
  name: 'post.unliked',
  description: 'A member no longer likes a discussion or a comment',
  data: UnlikedPost,
  member: ({ member_id }) => member_id,
  example: exampleOf(UnlikedPost),
})
export const reportCreated = defineEvent({
  name: 'report.created',
  description: 'A member reported a discussion, an item of feedback or a comment',
  data: Report,
  member: ({ member_id }) => member_id,
  example: exampleOf(Report),
})
export const reportResolved = defineEvent({
  name: 'report.resolved',
  description: 'A moderator decided about a reported or held post',
  data: Resolved,
  member: () => null,
  example: exampleOf(Resolved),
})
export const appealCreated = defineEvent({
  name: 'appeal.created',
  description: 'The author of a held, hidden or removed post asks the moderators to look at it again',
  data: AppealData,
  member: ({ author_id }) => author_id,
  example: exampleOf(AppealData),
})
export const appealDecided = defineEvent({
  name: 'appeal.decided',
  description: 'A moderator decided about an appeal',
  data: DecidedAppealData,
  member: ({ author_id }) => author_id,
  example: exampleOf(DecidedAppealData),
})
