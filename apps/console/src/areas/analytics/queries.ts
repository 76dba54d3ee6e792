import type { FunnelBy, FunnelStep, Goal, NewGoal, RetentionInterval } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ListSearch, readListSearch, useList, useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'
import { rangeOf } from '../../ui/date-range/ranges.ts'

const BASE = 'analytics'

/** The days of a report. */
interface Range {
  readonly start_date: string
  readonly end_date: string
}

/** The days that the address asks for; the last 30 where it asks for none. */
function rangeIn({ start_date: start, end_date: end }: ListSearch): Range {
  const usual = rangeOf('30', Date.now())
  return { start_date: String(start ?? usual.start), end_date: String(end ?? usual.end) }
}

/** What the address says about a report. */
export function useReportSearch() {
  const search = readListSearch(useSearch({ strict: false }))
  return { search, range: rangeIn(search) }
}

/** The numbers of a range, and those of the range before. */
export function useStats(range: Range) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'stats', range],
    queryFn: ({ signal }) => client.analytics.stats.get({ ...range, compare: 'previous' }, { signal }),
    placeholderData: (before) => before,
  })
}

/** Visitors and page views of each day of a range. */
export function useSeries(range: Range) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'series', range],
    queryFn: ({ signal }) =>
      client.analytics.timeseries.get(
        { ...range, interval: 'day', metric: 'visitors,pageviews,conversions' },
        { signal },
      ),
    placeholderData: (before) => before,
  })
}

/** The most frequent values of a dimension in a range. */
export function useBreakdown(dimension: string, range: Range) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'breakdown', dimension, range],
    queryFn: async ({ signal }) =>
      (
        await client.analytics.breakdown.list(
          { ...range, dimension, metric: 'visitors,pageviews,events', limit: 50 },
          { signal },
        )
      ).data,
    placeholderData: (before) => before,
  })
}

interface Funnel {
  readonly steps: readonly FunnelStep[]
  readonly by: FunnelBy
}

/** What a funnel is asked for with. */
export const funnelBody = ({ steps, by }: Funnel, range: Range) => ({
  steps: [...steps],
  by,
  date_range: range,
})

/** How many did each step after those before it; nothing before steps are asked for. */
export function useFunnel(steps: readonly FunnelStep[] | undefined, by: FunnelBy, range: Range) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'funnel', steps, by, range],
    queryFn: ({ signal }) =>
      client.analytics.funnel.get(funnelBody({ steps: steps ?? [], by }, range), { signal }),
    enabled: steps !== undefined,
  })
}

/** Members by when they were first seen, and how many of them came back. */
export function useRetention(interval: RetentionInterval) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'retention', interval],
    queryFn: ({ signal }) => client.analytics.retention.get({ interval, periods: 8 }, { signal }),
    placeholderData: (before) => before,
  })
}

/** Milliseconds between two looks at who is there now. */
const AGAIN_MS = 15_000

export function useRealtime() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'realtime'],
    queryFn: ({ signal }) => client.analytics.realtime.get({ signal }),
    refetchInterval: AGAIN_MS,
  })
}

export const useGoals = () =>
  useList(`${BASE}/goals`, (client, { page, limit }, signal) =>
    client.analytics.goals.list({ ...(page !== undefined && { page }), limit }, { signal }),
  )

export const useGoal = (id: string) =>
  useRead<Goal>([BASE, 'goal', id], (client, options) => client.analytics.goals.get(id, options))

/** Reads every report again: each counts by the goals. */
export function useReadReports() {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
        ofProject === project && ofSide === side && String(name).startsWith(BASE),
    })
}

/** Makes or deletes a goal; reports are read again. */
export function useGoalAct(onDone: () => void) {
  const { client } = useProject()
  const readReports = useReadReports()
  return useMutation({
    mutationFn: async (act: { readonly create: NewGoal } | { readonly remove: string }) =>
      'create' in act ? client.analytics.goals.create(act.create) : client.analytics.goals.delete(act.remove),
    onSuccess: async () => {
      await readReports()
      onDone()
    },
  })
}
