/**
 * Node's flags for a worker. Left to itself on a large machine, V8 lets the garbage of a busy worker grow to hundreds
 * of megabytes before it looks; within these bounds it stays near 200 MB, at the same speed.
 */
export const WORKER_FLAGS = ['--max-semi-space-size=16', '--max-old-space-size=384'] as const
