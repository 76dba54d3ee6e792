/**
 * Queues that do not wait for each other. A worker process serves some or all of them, so that each can be scaled
 * alone.
 * - `webhooks`: deliveries to endpoints that answer quickly
 * - `slow`: deliveries to those that do not
 * - `exports`: long work on one project's data, imports included
 * - `mail`
 * - `analytics`: roll-ups
 * - `schedule`: what happens by the clock, once per cluster
 */
export const LANES = ['webhooks', 'slow', 'exports', 'mail', 'analytics', 'schedule'] as const
export type Lane = (typeof LANES)[number]
