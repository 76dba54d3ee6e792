/** What a mail server's report says; a field that is left out is as a real server fills it in. */
export interface ReportedFailure {
  readonly messageId: string
  readonly action?: string
  readonly status?: string
  readonly diagnostic?: string
  /** What is returned of the mail: all of it, its headers, or nothing. */
  readonly returned?: 'message/rfc822' | 'text/rfc822-headers' | 'nothing'
}

const BOUNDARY = '20261121.1'

/** A delivery status notification as Postfix words it (RFC 3464). */
export function bouncedMail({
  messageId,
  action = 'failed',
  status = '5.1.1',
  diagnostic = `smtp; 550 ${status} <ada@example.com>: Recipient address rejected`,
  returned = 'text/rfc822-headers',
}: ReportedFailure): string {
  const head = `From: Guild <no-reply@guild.example>\nTo: ada@example.com\nSubject: Hello\nMessage-ID: ${messageId}`
  return [
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    'To: no-reply@guild.example',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${BOUNDARY}"`,
    '',
    `--${BOUNDARY}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is the mail system at host mx.example. Your message could not be delivered.',
    '',
    `--${BOUNDARY}`,
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    ...(returned === 'nothing' ? [`Original-Envelope-Id: ${messageId}`] : []),
    'Arrival-Date: Sat, 21 Nov 2026 10:00:00 +0000 (UTC)',
    '',
    'Final-Recipient: rfc822; ada@example.com',
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.example.com',
    `Diagnostic-Code: ${diagnostic}`,
    '',
    ...(returned === 'nothing' ? [] : [`--${BOUNDARY}`, `Content-Type: ${returned}`, '', head, '']),
    ...(returned === 'message/rfc822' ? ['Hello', ''] : []),
    `--${BOUNDARY}--`,
    '',
  ]
    .join('\n')
    .replaceAll('\n', '\r\n')
}
