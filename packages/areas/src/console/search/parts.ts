import { goalId } from '#areas/analytics/ids.ts'
import { connectionId, factorId } from '#areas/auth/ids.ts'
import { accountId, billId, billLineId, creditId, moveId, paymentId, refundId } from '#areas/billing/ids.ts'
import { communityImportId } from '#areas/community/ids.ts'
import { appealId, caseId, discussionId, revisionId } from '#areas/discussions/ids.ts'
import { grantId, orderLineId, subscriptionId } from '#areas/entitlements/ids.ts'
import { exportId } from '#areas/exports/ids.ts'
import { feedbackId, statusChangeId } from '#areas/feedback/ids.ts'
import { categoryId } from '#areas/help/ids.ts'
import { attemptId, certificateId, courseId, moduleId, quizId } from '#areas/lms/ids.ts'
import { suppressionId } from '#areas/mail/ids.ts'
import { muteId, ruleId } from '#areas/moderation/ids.ts'
import { messageId, notificationId } from '#areas/notifications/ids.ts'
import { cartId, itemId, orderId, productId, moveId as stockMoveId, variantId } from '#areas/shop/ids.ts'
import type { Thing } from './thing.ts'

const ofMember = { id: 'member_id', is: 'member' } as const
const ofOrder = { id: 'order_id', is: orderId }
const ofBill = { id: 'bill_id', is: billId }
const ofCourse = { id: 'course_id', is: courseId }

/** What the payment of a refund was for. */
const PAID = '(select p.purpose_id from payments p where p.id = refunds.payment_id)'

/** What is shown on the screen of something else, and what is one of a list without screens of their own. */
export const PARTS: readonly Thing[] = [
  { type: 'session', is: 'session', table: 'sessions', title: "coalesce(user_agent, '')", parent: ofMember },
  { type: 'factor', is: factorId, table: 'mfa_factors', title: 'coalesce(name, type)', parent: ofMember },
  { type: 'grant', is: grantId, table: 'grants', title: 'source_type', parent: ofMember },
  { type: 'credit_entry', is: creditId, table: 'credit_entries', title: 'kind', parent: ofMember },
  { type: 'notification', is: notificationId, table: 'notifications', title: 'kind', parent: ofMember },
  { type: 'mute', is: muteId, table: 'mutes', title: "''", parent: ofMember },
  { type: 'cart', is: cartId, table: 'carts', title: "''", parent: ofMember },
  {
    ...{ type: 'cart_item', is: itemId, table: 'cart_items', title: 'quantity' },
    parent: { id: '(select c.member_id from carts c where c.id = cart_items.cart_id)', is: 'member' },
  },
  {
    ...{ type: 'order_payment', is: paymentId, table: 'payments', title: "status || ' ' || currency" },
    ...{ where: "purpose = 'order'", parent: { id: 'purpose_id', is: orderId } },
  },
  {
    ...{ type: 'bill_payment', is: paymentId, table: 'payments', title: "status || ' ' || currency" },
    ...{ where: "purpose = 'bill'", parent: { id: 'purpose_id', is: billId } },
  },
  { type: 'order_refund', is: refundId, table: 'order_refunds', title: 'status', parent: ofOrder },
  { type: 'bill_refund', is: refundId, table: 'bill_refunds', title: 'status', parent: ofBill },
  // Events name what the provider was asked for.
  {
    ...{ type: 'order_refund', is: refundId, table: 'refunds', title: 'status' },
    ...{ where: "(select purpose from payments p where p.id = payment_id) = 'order'" },
    parent: { id: PAID, is: orderId },
  },
  {
    ...{ type: 'bill_refund', is: refundId, table: 'refunds', title: 'status' },
    ...{ where: "(select purpose from payments p where p.id = payment_id) = 'bill'" },
    parent: { id: PAID, is: billId },
  },
  { type: 'order_line', is: orderLineId, table: 'order_lines', title: 'name', parent: ofOrder },
  { type: 'bill_line', is: billLineId, table: 'bill_lines', title: 'description', parent: ofBill },
  {
    ...{ type: 'subscription_move', is: moveId, table: 'subscription_moves', title: 'event' },
    parent: { id: 'subscription_id', is: subscriptionId },
  },
  {
    ...{
      type: 'variant',
      is: variantId,
      table: 'product_variants',
      title: 'name',
      where: 'deleted_at is null',
    },
    parent: { id: 'product_id', is: productId },
  },
  {
    ...{ type: 'stock_move', is: stockMoveId, table: 'stock_moves', title: 'kind' },
    parent: {
      id: '(select v.product_id from product_variants v where v.id = stock_moves.variant_id)',
      is: productId,
    },
  },
  { type: 'module', is: moduleId, table: 'course_modules', title: 'title', parent: ofCourse },
  { type: 'quiz', is: quizId, table: 'quizzes', title: "''", parent: ofCourse },
  {
    ...{ type: 'attempt', is: attemptId, table: 'quiz_attempts', title: "'#' || number" },
    parent: { id: '(select q.course_id from quizzes q where q.id = quiz_attempts.quiz_id)', is: courseId },
  },
  { type: 'certificate', is: certificateId, table: 'certificates', title: 'member_name', parent: ofCourse },
  {
    ...{ type: 'revision', is: revisionId, table: 'post_revisions', title: "coalesce(title, '')" },
    parent: {
      id: '(coalesce(discussion_id, (select c.discussion_id from comments c where c.id = post_revisions.comment_id)))',
      is: discussionId,
    },
  },
  {
    ...{ type: 'appeal', is: appealId, table: 'appeals', title: "coalesce(decision, 'open')" },
    parent: { id: 'case_id', is: caseId },
  },
  {
    type: 'moderation_rule',
    is: ruleId,
    table: 'moderation_rules',
    title: "coalesce(nullif(name, ''), kind)",
  },
  {
    ...{ type: 'status_change', is: statusChangeId, table: 'feedback_status_changes', title: 'status' },
    parent: { id: 'feedback_id', is: feedbackId },
  },
  { type: 'help_category', is: categoryId, table: 'help_categories', title: 'name' },
  { type: 'goal', is: goalId, table: 'analytics_goals', title: 'name' },
  { type: 'message', is: messageId, table: 'notification_messages', title: 'left(text, 80)' },
  { type: 'suppression', is: suppressionId, table: 'mail_suppressions', title: 'address' },
  { type: 'export', is: exportId, table: 'exports', title: 'file_name' },
  { type: 'community_import', is: communityImportId, table: 'community_imports', title: 'state' },
  { type: 'sso_connection', is: connectionId, table: 'sso_connections', title: 'name' },
  { type: 'payment_account', is: accountId, table: 'payment_accounts', title: 'name' },
]
