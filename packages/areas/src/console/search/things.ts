import { invitationId } from '#areas/auth/ids.ts'
import { billId } from '#areas/billing/ids.ts'
import { caseId, categoryId, commentId, discussionId } from '#areas/discussions/ids.ts'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { commentId as feedbackCommentId, feedbackId } from '#areas/feedback/ids.ts'
import { formId, submissionId } from '#areas/forms/ids.ts'
import { articleId } from '#areas/help/ids.ts'
import { courseId, enrollmentId, lessonId } from '#areas/lms/ids.ts'
import { mailId } from '#areas/mail/ids.ts'
import { ruleId } from '#areas/member-content/ids.ts'
import { importId } from '#areas/members/ids.ts'
import { discountId, orderId, productId } from '#areas/shop/ids.ts'
import { deliveryId, endpointId } from '#areas/webhooks/ids.ts'
import { PARTS } from './parts.ts'
import type { Thing } from './thing.ts'

/** Everything that a pasted id opens. */
export const THINGS: readonly Thing[] = [
  ...PARTS,
  {
    type: 'member',
    is: 'member',
    table: 'members',
    title: "coalesce(full_name, '') || ' <' || email || '>'",
  },
  { type: 'invitation', is: invitationId, table: 'invitations', title: 'email' },
  {
    ...{ type: 'plan', is: 'plan', table: 'plans', title: 'name' },
    names: ['name', 'slug'],
  },
  { type: 'subscription', is: subscriptionId, table: 'subscriptions', title: 'status' },
  { type: 'bill', is: billId, table: 'bills', title: "'#' || number" },
  { type: 'order', is: orderId, table: 'orders', title: 'number' },
  {
    ...{ type: 'product', is: productId, table: 'products', title: 'name', where: 'deleted_at is null' },
  },
  {
    ...{ type: 'discount', is: discountId, table: 'discounts', title: 'code', where: 'deleted_at is null' },
  },
  {
    ...{ type: 'form', is: formId, table: 'forms', title: 'name', where: 'deleted_at is null' },
    names: ['name'],
  },
  {
    ...{ type: 'submission', is: submissionId, table: 'form_submissions', title: 'status' },
    parent: { id: 'form_id', is: formId },
  },
  { type: 'article', is: articleId, table: 'help_articles', title: 'title' },
  { type: 'course', is: courseId, table: 'courses', title: 'title', names: ['title'] },
  {
    ...{ type: 'lesson', is: lessonId, table: 'lessons', title: 'title' },
    parent: { id: 'course_id', is: courseId },
  },
  {
    ...{ type: 'enrollment', is: enrollmentId, table: 'enrollments', title: 'status' },
    parent: { id: 'course_id', is: courseId },
  },
  { type: 'discussion', is: discussionId, table: 'discussions', title: 'title' },
  {
    ...{ type: 'discussion_category', is: categoryId, table: 'discussion_categories', title: 'name' },
    names: ['name', 'slug'],
  },
  {
    ...{ type: 'comment', is: commentId, table: 'comments', title: 'status' },
    parent: { id: 'discussion_id', is: discussionId },
  },
  { type: 'moderation_case', is: caseId, table: 'moderation_cases', title: "coalesce(decision, 'open')" },
  { type: 'feedback', is: feedbackId, table: 'feedback', title: 'coalesce(title, left(message, 80))' },
  {
    ...{ type: 'feedback_comment', is: feedbackCommentId, table: 'feedback_comments', title: "'Comment'" },
    parent: { id: 'feedback_id', is: feedbackId },
  },
  { type: 'page_rule', is: ruleId, table: 'content_rules', title: 'url_pattern', names: ['url_pattern'] },
  { type: 'file', is: 'file', table: 'files', title: 'name' },
  { type: 'mail', is: mailId, table: 'mails', title: "mail || ' ' || state" },
  { type: 'import', is: importId, table: 'member_imports', title: 'state' },
  { type: 'event', is: 'event', table: 'events', title: 'type' },
  {
    ...{ type: 'webhook', is: endpointId, table: 'webhook_endpoints', title: 'url' },
    names: ['url', 'description'],
  },
  {
    ...{ type: 'delivery', is: deliveryId, table: 'webhook_deliveries', title: "event_type || ' ' || state" },
    parent: { id: 'endpoint_id', is: endpointId },
  },
  { type: 'key', is: 'API key', table: 'api_keys', title: 'name', names: ['name', 'prefix'] },
]
