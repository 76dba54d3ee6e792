/**
 * Queues that do not wait for each other. A worker process serves some or all of them, so that each can be scaled
 * alone.
 * - `webhooks`: deliveries to endpoints that answer quickly
 * - `slow`: deliveries to those that do not
 * - `exports`: long work on one project's data, imports included
 * - `files`: objects that have to be checked or removed
 * - `pictures`: pictures that are made smaller, which takes processor and memory
 * - `mail`
 * - `analytics`: roll-ups
 * - `default`: short work that belongs to no other lane
 * - `due`: what is due by projects' own clocks: renewals, ends of trials, grants and reservations
 * - `schedule`: what happens by the clock, once per cluster
 */
export const LANES = [
  ...(['webhooks', 'slow', 'exports', 'files', 'pictures', 'mail', 'analytics', 'default'] as const),
  ...(['due', 'schedule'] as const),
] as const
export type Lane = (typeof LANES)[number]

/** Runs at a time, of consumers and jobs together, in one worker process. */
export const SLOTS: Readonly<Record<Lane, number>> = {
  // Sends wait for receivers, most of the time.
  webhooks: 50,
  slow: 50,
  // Each streams a project's data through memory.
  exports: 4,
  files: 10,
  // Each may hold a picture of 50 megapixels.
  pictures: 2,
  mail: 10,
  analytics: 4,
  default: 4,
  due: 4,
  schedule: 4,
}

/**
 * Runs of one project at a time in one worker process, in lanes whose jobs take minutes: half of the slots are left to others, however
 * many imports and exports a project has.
 */
export const MOST_OF_PROJECT: Readonly<Partial<Record<Lane, number>>> = { exports: 2 }
