/** What the ceiling's jobs wait in; it is no lane of ours. */
export const CEILING_QUEUE = 'ceiling'
