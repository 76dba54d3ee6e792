import type { Side } from '#testkit/factories.ts'

/** What the paths of feedback name. */
export const samples = {
  fb: sendFeedback,
}

async function sendFeedback(side: Side): Promise<{ id: string }> {
  const body = { type: 'feature', message: 'A dark theme' }
  return (await side.admin.post<{ feedback: { id: string } }>('/feedback', body)).body.feedback
}
