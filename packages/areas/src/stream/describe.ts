import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { MOST_STREAMS } from './hub/slots.ts'
import { EVENTS, named } from './topics.ts'

/** What a stream looks like. */
export const EXAMPLE = `retry: 2000
id: 1024

id: 1025
event: discussion.removed
data: {"type":"discussion.removed","timestamp":"2026-11-21T09:00:00.000Z","data":{"id":"disc_01jcq3k8f7e8qtk4m3hbw7rn2f"}}

:
id: 1025

`

/** What `GET /stream` is, with the topics that areas declare. */
export const describeStream = ({
  topics,
}: Catalogue): string => `Server-sent events: events are sent as they happen.

Open it with the header \`Authorization\` and \`topics\`, or in a browser with a \`ticket\` (\`POST /stream/tickets\`). A member's token, and a key that names a member, get what the member may read at the moment of each event; a key that names nobody gets what its permissions allow.

| topic | events |
| --- | --- |
${topics
  .flatMap((group) => group.topics)
  .map((topic) => `| \`${named(topic)}\` | ${topic.description} |`)
  .join('\n')}
| \`${EVENTS}\`, \`${EVENTS}:TYPE\`, \`${EVENTS}:GROUP.*\` | For keys with \`admin\`: all events, those of a type, or those of a group, with the data of webhooks and their \`event_id\` |

Each event has \`id\`, \`event\` (its type) and \`data\`: \`{"type", "timestamp", "data"}\`. Members get what a GET answers at that moment. If something was removed or hidden since, they get its ids alone, or nothing.

- \`id\` is a number of the project, larger than that of the event before. Send the last one as \`Last-Event-ID\` (or \`last_event_id\`), and the stream continues after it: no event is missing and none comes twice, for 24 hours. If events after it are gone, the first event is \`reset\`: read again what you show. Open the stream first, and then read what you show.
- Every 15 seconds without an event, a comment and the present \`id\` are sent.
- \`end\` is the last event if the stream is ended here: \`data.reason\` is \`session_ended\`, \`member_inactive\`, \`key_revoked\`, \`access_changed\` (the plan, the role or the permissions no longer open all topics), \`project_suspended\` or \`shutting_down\`. It comes within a second of the change. A client that does not read is disconnected; it resumes as after any lost connection.
- One process of the API has at most ${MOST_STREAMS.member} streams of a member, ${MOST_STREAMS.key.toLocaleString('en')} of a key and ${MOST_STREAMS.project.toLocaleString('en')} of a project open.

Events of different requests that run at the same moment can come in either order.`
