import { type Html, html } from '../values/html.ts'
import type { WorkReport } from './work-report.ts'

/** The report as a page that needs no script and reloads itself every few seconds. */
export function workPage(report: WorkReport): string {
  const { outbox } = report
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Guildhall: background work</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1c2733; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
table { border-collapse: collapse; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #dde3ea; vertical-align: top; }
th:first-child, td.text { text-align: left; }
td.text { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Background work</h1>
<p>Jobs are rows in PostgreSQL; signals, in ${report.queue === 'redis' ? 'Redis' : 'PostgreSQL'}, only show workers where to look.</p>
<h2>Outbox</h2>
<p>${outbox.rows} rows wait for the relay, the oldest for ${seconds(outbox.seconds)}; ${outbox.aside} are set aside.</p>
<h2>Lanes</h2>
${table(
  [
    'lane',
    'jobs due',
    'late by',
    'running',
    'later',
    'failed',
    'signals waiting',
    'active',
    'later',
    'failed',
  ],
  report.lanes.map(({ lane, jobs, late, signals }) => [
    ...[lane, jobs.due, seconds(late), jobs.running, jobs.later, jobs.failed],
    ...[signals.waiting, signals.active, signals.later, signals.failed],
  ]),
)}
<h2>Failed jobs</h2>
${table(
  ['job', 'id', 'project', 'attempts', 'failed at', 'error'],
  report.failedJobs.map((job) => [
    job.name,
    job.id,
    job.project_id,
    job.attempts,
    job.finished_at,
    job.error,
  ]),
)}
<h2>Signals that could not be handled</h2>
${table(
  ['lane', 'name', 'reason'],
  report.failedSignals.map(({ lane, name, reason }) => [lane, name, reason]),
)}
<h2>Schedules</h2>
${table(
  ['name', 'runs next'],
  report.schedules.map(({ name, next }) => [name, next]),
)}
</body>
</html>
`.text
}

function table(heads: string[], rows: (string | number)[][]): Html {
  if (rows.length === 0) return html`<p>None.</p>`
  return html`<table>
<tr>${heads.map((head) => html`<th>${head}</th>`)}</tr>
${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}
</table>`
}

const cell = (value: string | number) =>
  typeof value === 'number' ? html`<td>${value}</td>` : html`<td class="text">${value}</td>`

const seconds = (value: number) => `${Math.round(value)} s`
