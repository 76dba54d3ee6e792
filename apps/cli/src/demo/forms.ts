import { claimExport, markCompleted, markExpired } from '#areas/exports/queries.ts'
import { failExport } from '#areas/exports/service.ts'
import { archiveForm, createForm, publishForm } from '#areas/forms/builder/service.ts'
import { CompiledForm } from '#areas/forms/evaluation/compiled-form.ts'
import { requestSubmissions } from '#areas/forms/exports/request-export.ts'
import { formId } from '#areas/forms/ids.ts'
import { fileTarget } from '#areas/forms/rows.ts'
import type { NewForm } from '#areas/forms/schema.ts'
import { keepSubmission } from '#areas/forms/submissions/submissions.ts'
import { attachFile, keepFile, type ReceivedFile, receiveFile } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { DAY_MS } from './agenda.ts'
import { many, type Part, type Person, readPeople, type Scene } from './part.ts'
import { pictureOf } from './pictures.ts'

const CONTEST: NewForm = {
  name: 'Pattern contest',
  description: 'Send us what you have made',
  fields: [
    { id: 'title', type: 'text', label: 'Name of the pattern', required: true },
    { id: 'picture', type: 'file', label: 'A picture', validation: { allowed_types: ['image/png'] } },
    {
      id: 'level',
      type: 'radio',
      label: 'Level',
      options: [
        { value: 'easy', label: 'Easy' },
        { value: 'hard', label: 'Hard' },
      ],
    },
    { id: 'hours', type: 'number', label: 'Hours of work' },
    { id: 'story', type: 'textarea', label: 'Its story' },
  ],
  settings: { submit_button_text: 'Take part' },
}
const SURVEY: NewForm = {
  name: 'Autumn survey',
  description: 'Three questions',
  fields: [
    { id: 'rating', type: 'rating', label: 'How do you like the magazine?', required: true },
    {
      id: 'reads',
      type: 'multi_select',
      label: 'What do you read?',
      options: [
        { value: 'patterns', label: 'Patterns' },
        { value: 'letters', label: 'Letters' },
        { value: 'shop', label: 'The shop' },
      ],
    },
    { id: 'wish', type: 'textarea', label: 'A wish' },
  ],
}
const DRAFT: NewForm = {
  name: 'Workshop in spring',
  fields: [{ id: 'email', type: 'email', label: 'Your email', required: true }],
}

const WISHES = [
  'More lace, please',
  'Больше схем',
  'Περισσότερα χρώματα',
  'مزيد من الألوان',
  '更多图案',
  'और पैटर्न',
  '',
]
const STORIES = [
  'It began with a ball of red wool.',
  'My grandmother knew it by heart.',
  'Designed on the night train.',
]
const FILES = 10

/** Forms that are open, archived and not published yet, with submissions, spam, files and exports. */
export const forms: Part = {
  name: 'forms',
  begin: async (place) => {
    const pictures = await Promise.all(
      Array.from({ length: place.objects.isSetUp ? many(place, FILES) : 0 }, (_, i) =>
        receiveFile(place, place.data, {
          name: `pattern-${i + 1}.png`,
          type: 'image/png',
          bytes: pictureOf(200 + i),
        }),
      ),
    )
    return async (scene) => {
      const { ctx, agenda, dice } = scene
      const people = await readPeople(ctx)
      agenda.at(scene.ago(80), async () => {
        await createForm(ctx, DRAFT)
        const contest = await open(ctx, CONTEST)
        const survey = await open(ctx, SURVEY)
        takeIn(scene, contest, {
          count: 30,
          from: 78,
          people,
          sent: (n) => ({
            file: pictures[n],
            data: {
              title: `Pattern ${n + 1}`,
              level: dice.one(['easy', 'hard']),
              hours: 1 + dice.upTo(60),
              story: dice.one(STORIES),
            },
          }),
        })
        takeIn(scene, survey, {
          count: 70,
          from: 60,
          people,
          sent: () => ({
            file: undefined,
            data: {
              rating: 1 + dice.upTo(5),
              reads: ['patterns', dice.one(['letters', 'shop'])],
              wish: dice.one(WISHES),
            },
          }),
        })
        agenda.at(scene.ago(5), () => archiveForm(ctx, survey.id))
        if (place.objects.isSetUp) agenda.at(scene.ago(0.01), () => exportThem(scene, contest.id))
      })
      await agenda.run()
    }
  },
}

interface Opened {
  readonly id: string
  readonly form: CompiledForm
}

async function open(ctx: Context, input: NewForm): Promise<Opened> {
  const id = parseId(formId, (await createForm(ctx, input)).id) ?? ''
  const { version, fields, settings } = await publishForm(ctx, id)
  return { id, form: new CompiledForm(version, fields, settings) }
}

interface Intake {
  readonly count: number
  /** How many days ago it begins. */
  readonly from: number
  readonly people: readonly Person[]
  readonly sent: (n: number) => {
    readonly file: ReceivedFile | undefined
    readonly data: Record<string, unknown>
  }
}

function takeIn(
  { ctx, agenda, place, many: of, ago }: Scene,
  { id, form }: Opened,
  { count, from, people, sent }: Intake,
): void {
  const all = of(count)
  for (let n = 0; n < all; n++) {
    const member = n % 3 === 0 ? people[(n * 7) % people.length]?.id : undefined
    agenda.at(ago(from - (from - 6) * (n / all)), async () => {
      const { data, file } = sent(n)
      const files = new Map(
        file === undefined ? [] : [['picture', { ...file, id: toId('file', file.id) }] as const],
      )
      const row = {
        ...{ id: newUuid(), form_id: id, form_version: form.version, member_id: member ?? null },
        status: n % 12 === 1 ? ('spam' as const) : ('received' as const),
        data: JSON.stringify(form.evaluate(data, files).data),
        ...{ ip: `198.51.100.${n % 250}`, user_agent: 'Mozilla/5.0', referrer: 'https://example.com/' },
        ...{ digest: null, duplicate_seconds: 0 },
      }
      await keepSubmission(ctx, form, row, place.config.BASE_URL)
      if (file === undefined) return
      await keepFile(ctx, place, file, { visibility: 'private', ownerId: row.member_id })
      attachFile(ctx, file.id, fileTarget(row.id))
    })
  }
}

/** Exports that a worker makes, one that was given up, and one whose file is not kept any more. */
async function exportThem({ ctx, place }: Scene, id: string): Promise<void> {
  const made = { objects: place.objects, baseUrl: place.config.BASE_URL }
  await requestSubmissions(ctx, id, { format: 'csv' }, made)
  await requestSubmissions(ctx, id, { format: 'json' }, made)
  const failed = await requestSubmissions(ctx, id, { format: 'csv', bom: true }, made)
  await failExport(ctx, failed.id, 'The export could not be finished: create a new one')
  const { id: old } = await requestSubmissions(ctx, id, { format: 'json' }, made)
  const run = newUuid()
  await claimExport(ctx, { id: old, run })
  const end = new Date(place.now - DAY_MS)
  await markCompleted(ctx, { id: old, run, rows: 12, size: 4_096, object_id: newUuid(), expires_at: end })
  await markExpired(ctx)
}
