/**
 * Node's flags (docs/decisions/0001). Left to itself on a large machine, V8 lets the garbage of a busy process grow to
 * hundreds of megabytes before it looks; within these bounds an API and a worker stay near 200 MB, at the same speed
 * or better. Its guesses at which objects will live long differ from start to start, and a wrong one lasts as long as
 * the process.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=8',
  '--max-old-space-size=384',
  '--no-allocation-site-pretenuring',
] as const
