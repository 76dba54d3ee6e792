import { expect, test } from 'vitest'
import { LatencyTracker, type SendLane } from './latency-tracker.ts'

/** The lane after each of several attempts that took as long as given. */
function lanes(latencies: LatencyTracker, lane: SendLane, durations: number[]): SendLane[] {
  let now = lane
  return durations.map((duration) => {
    now = latencies.note('endpoint', duration, now)
    return now
  })
}

test('an endpoint that times out is slow after its fifth attempt', () => {
  expect(lanes(new LatencyTracker(), 'webhooks', [15_000, 15_000, 15_000, 15_000, 15_000])).toEqual([
    'webhooks',
    'webhooks',
    'webhooks',
    'webhooks',
    'slow',
  ])
})

test('one slow answer in twenty changes nothing', () => {
  const durations = [...Array(19).fill(20), 15_000, ...Array(19).fill(20)]
  expect(new Set(lanes(new LatencyTracker(), 'webhooks', durations))).toEqual(new Set(['webhooks']))
})

test('an endpoint comes back after twenty quick answers, and not before', () => {
  const latencies = new LatencyTracker()
  lanes(latencies, 'webhooks', Array(5).fill(15_000))
  const back = lanes(latencies, 'slow', Array(25).fill(20))
  expect(back.indexOf('webhooks')).toBe(18)
  expect(back.slice(18).every((lane) => lane === 'webhooks')).toBe(true)
})

test('a worker that knows nothing leaves a slow endpoint where it is', () => {
  expect(new Set(lanes(new LatencyTracker(), 'slow', Array(19).fill(20)))).toEqual(new Set(['slow']))
})
