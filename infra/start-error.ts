/** A start that cannot go on for a reason outside the code. The message is the one sentence the user reads. */
export class StartError extends Error {
  override name = 'StartError'
}
