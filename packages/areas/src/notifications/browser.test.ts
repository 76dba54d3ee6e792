import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Forum, taken } from '#areas/discussions/forum.fixture.ts'
import type { Side } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { httpReceiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'
import { type Reader, Readers } from './readers.fixture.ts'

let readers: Readers
let forum: Forum
let side: Side
let site: { origin: string; close(): Promise<void> }

beforeAll(async () => {
  readers = await Readers.open()
  ;({ forum, side } = readers)
  const page = PAGE.replace('"api"', JSON.stringify(`${readers.mails.api.url}/api/v1`))
  const { port, close } = await httpReceiver((request, response) => {
    const isPicture = request.url === '/ada.png'
    response.setHeader('content-type', isPicture ? 'image/png' : 'text/html; charset=utf-8')
    response.end(isPicture ? PICTURE : page)
  })
  site = { origin: `http://localhost:${port}`, close }
})
afterAll(async () => {
  await site.close()
  await readers.mails.close()
})

/** A thread as an application shows it: what is new arrives, and what is written is posted. */
const PAGE = `<!doctype html>
<html lang="en">
<title>A thread</title>
<p>Unread: <output id="unread"></output></p>
<button id="read">Mark as read</button>
<ul id="posts"></ul>
<label>Comment <textarea id="text"></textarea></label>
<button id="send">Send</button>
<p id="news" role="status"></p>
<script type="module">
const API = "api"
const [token, thread] = location.hash.slice(1).split(',')
const $ = (id) => document.getElementById(id)
async function call(method, path, body) {
  const answer = await fetch(API + path, {
    method,
    headers: { authorization: 'Bearer ' + token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...(await answer.json()) }
}
async function show() {
  const { comments, data = comments } = await call('GET', '/discussions/' + thread + '/comments?include=author')
  $('posts').replaceChildren(...data.map(({ author, content_html }) => {
    const item = document.createElement('li')
    const picture = Object.assign(document.createElement('img'), { src: author.avatar_url, alt: author.display_name, width: 24 })
    const text = document.createElement('div')
    text.innerHTML = content_html
    item.append(picture, author.display_name, text)
    return item
  }))
}
async function count() {
  $('unread').textContent = (await call('GET', '/notifications/unread-count')).data.count
}
const { data } = await call('POST', '/stream/tickets', { topics: ['notifications', 'discussion:' + thread] })
const stream = new EventSource(API + '/stream?ticket=' + data.ticket)
stream.addEventListener('comment.created', show)
stream.addEventListener('notification.created', count)
stream.addEventListener('open', async () => {
  await Promise.all([show(), count()])
  $('news').textContent = 'Ready'
})
$('send').onclick = async () => {
  const answer = await call('POST', '/discussions/' + thread + '/comments', { content: $('text').value })
  $('news').textContent = answer.success ? 'Sent' : answer.status + ' ' + answer.code + ': ' + (answer.reason ?? answer.error)
}
$('read').onclick = async () => {
  await call('POST', '/notifications/read', { before: new Date(Date.now() + 60000).toISOString() })
  await count()
}
</script>`

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describeWithBrowser('two members in two windows', () => {
  test('one writes, and the other sees name, picture and text arrive, is notified and reads, and the count falls; the first is suspended, and the next post is refused with the reason', async () => {
    const avatar_url = `${site.origin}/ada.png`
    const [ada, grace] = [
      await readers.join({ full_name: 'Ada Lovelace', avatar_url }),
      await readers.join({ full_name: 'Grace Hopper' }),
    ]
    const { id } = await forum.start(grace, { title: 'Engines' })
    const browser = await startBrowser()
    /** A window of its own, in which a member is logged in. */
    const open = async ({ id: member }: Reader) => {
      const { token } = await side.signIn(member)
      const page = await (await browser.newContext()).newPage()
      await page.goto(`${site.origin}/#${token},${id}`)
      await page.getByText('Ready', { exact: true }).waitFor()
      return page
    }
    try {
      const [hers, theirs] = [await open(ada), await open(grace)]
      const unread = theirs.locator('#unread')
      expect(await unread.textContent()).toBe('0')
      const write = async (text: string) => {
        await hers.getByLabel('Comment').fill(text)
        await hers.getByRole('button', { name: 'Send' }).click()
      }
      await write('It **weaves** patterns')
      const post = theirs.getByRole('listitem')
      await post.getByText('weaves').waitFor()
      expect(await post.textContent()).toContain('Ada Lovelace')
      const picture = post.getByRole('img', { name: 'Ada Lovelace' })
      expect(await picture.getAttribute('src')).toBe(avatar_url)
      await expect
        .poll(
          () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
          SOON,
        )
        .toBe(1)
      expect(await post.locator('strong').textContent()).toBe('weaves')
      await theirs.locator('#unread', { hasText: '1' }).waitFor()
      await theirs.getByRole('button', { name: 'Mark as read' }).click()
      await theirs.locator('#unread', { hasText: '0' }).waitFor()
      const reason = 'Insults, after two warnings'
      taken(await side.admin.post<object>(`/members/${ada.id}/suspend`, { reason }))
      await write('And once more')
      const news = hers.locator('#news')
      await expect.poll(() => news.textContent(), SOON).toBe(`403 MEMBER_SUSPENDED: ${reason}`)
      expect(await theirs.getByRole('listitem').count()).toBe(1)
      // The stream of a suspended member goes on: they still read.
      taken(await grace.client.post<object>(`/discussions/${id}/comments`, { content: 'Calm again' }))
      await hers.getByText('Calm again').waitFor()
    } finally {
      await browser.close()
    }
  })
})
