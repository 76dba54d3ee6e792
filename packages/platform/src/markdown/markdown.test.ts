import { afterAll, describe, expect, test } from 'vitest'
import { Markdown, type Writer } from './markdown.ts'
import { beginningOf, fillHtml, fillMarkdown, fillText } from './mentions.ts'

const writer = (n = 1): Writer => ({ projectId: `project ${n}`, actor: { kind: 'secret_key', id: 'key' } })
const markdown = new Markdown({ threads: 1 })
afterAll(() => markdown.close())

const html = async (source: string) => (await markdown.render(source, writer())).html
const refusal = (source: string) =>
  markdown.render(source, writer(), 'text').then(
    () => 'rendered',
    ({ status, details }) => [status, details[0].field, details[0].rule],
  )

describe('what is written', () => {
  test('becomes HTML of known tags', async () => {
    expect(await html('# Hello\n\n**You** and `me`\n\n- one\n- two')).toBe(
      '<h1>Hello</h1>\n<p><strong>You</strong> and <code>me</code></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n',
    )
    expect(await html('|a|b|\n|-|-:|\n|1|2|')).toContain('<td align="right">2</td>')
    expect(await html('```ts\nlet a = 1 < 2\n```')).toBe(
      '<pre><code class="language-ts">let a = 1 &lt; 2\n</code></pre>\n',
    )
    expect(await html('3. three')).toBe('<ol start="3">\n<li>three</li>\n</ol>\n')
  })

  test('is also rendered as plain text, without markup and with what code says', async () => {
    const { text } = await markdown.render(
      '# Title\n\n*Some* [words](https://example.com)\n\n```\ncode\n```',
      writer(),
    )
    expect(text).toBe('Title\nSome words\ncode')
  })

  test('mentions members by id, each once, and not in code', async () => {
    const [ann, bob] = ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d', 'mem_01jcq3k8f7e8qtk4m3hbw7rn2e']
    const { html, mentions } = await markdown.render(
      `[@Ann](${ann}) and [@Ann](${ann}), \`[@Bob](${bob})\``,
      writer(),
    )
    expect(mentions).toEqual([ann])
    expect(html).toContain(`<span class="mention" data-member-id="${ann}">@</span>`)
    expect(
      (await markdown.render('[x](mem_1) [y](plan_01jcq3k8f7e8qtk4m3hbw7rn2d)', writer())).mentions,
    ).toEqual([])
  })

  test('keeps of a mention the id alone, whatever label was typed; a link that hides one is no mention', async () => {
    const id = 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d'
    for (const label of [
      '@Ann',
      '@Support',
      '',
      '**@Ann**',
      '[@Ann]',
      String.raw`a\]b`,
      'x'.repeat(500),
      '@A\nnn',
    ]) {
      const { source, html, text, plain } = await markdown.render(`Hi [${label}](${id} "Ann")!`, writer())
      expect({ source, text, plain }).toEqual({
        source: `Hi [@](${id})!`,
        text: 'Hi !',
        plain: `Hi [@](${id})!`,
      })
      expect(html).toBe(`<p>Hi <span class="mention" data-member-id="${id}">@</span>!</p>\n`)
    }
    for (const hidden of [`[Ann][1]\n\n[1]: ${id}`, `[${'x'.repeat(501)}](${id})`])
      expect(await markdown.render(hidden, writer())).toMatchObject({ source: hidden, mentions: [] })
    const typed = await markdown.renderTyped(`[@Ann](${id})`, writer())
    expect(typed).toMatchObject({ source: `[@Ann](${id})`, text: '@Ann', mentions: [id] })
  })

  test('puts names in as text, whatever they are', async () => {
    const id = 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d'
    const { source, html, plain } = await markdown.render(`[@x](${id}) \`[@y](${id})\``, writer())
    const nameOf = () => '*Ann* ](javascript:1) <b>$&</b>'
    const filled = fillMarkdown(source, nameOf)
    expect(await markdown.render(filled, writer())).toMatchObject({ source, html })
    expect(fillHtml(html, nameOf)).toContain(
      `data-member-id="${id}">@*Ann* ](javascript:1) &lt;b&gt;$&amp;&lt;/b&gt;</span>`,
    )
    expect(fillText(plain, nameOf)).toContain('@*Ann* ](javascript:1) <b>$&</b>')
    expect(beginningOf(`ab[@](${id})cd`, 3)).toBe(`ab[@](${id})`)
    expect(beginningOf(`ab[@](${id})cd`, 2)).toBe('ab')
  })

  test('is refused with more than 100 mentions, and hostile labels take no time', async () => {
    const mention = '[@Ann](mem_01jcq3k8f7e8qtk4m3hbw7rn2d) '
    expect((await markdown.render(mention.repeat(100), writer())).mentions).toHaveLength(1)
    await expect(markdown.render(mention.repeat(101), writer())).rejects.toMatchObject({
      status: 422,
      details: [{ rule: 'mentions' }],
    })
    for (const piece of ['[', '[a', '[[a]', String.raw`[\\`, '[x](', '[](mem_ '])
      await markdown
        .render(piece.repeat(49_000 / piece.length) + mention, writer())
        .catch(({ status, code }) => expect([status, code]).toEqual([422, 'VALIDATION_ERROR']))
  })

  test('links tell the pages they lead to nothing, and have known schemes', async () => {
    expect(await html('[a](https://example.com)')).toContain('rel="nofollow ugc noopener noreferrer"')
    for (const url of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///x',
    ])
      expect(await html(`[a](${url}) <${url}> ![i](${url})`)).not.toMatch(/href|src/)
    expect(await html('![i](https://example.com/a.png)')).toContain('src="https://example.com/a.png"')
  })

  test('HTML in it is shown as the text that it is', async () => {
    expect(await html('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n')
  })

  test('characters that turn the direction of what follows are left out', async () => {
    for (const turned of ['a\u202eb', 'a&#8238;b', 'a&#x202E;b', 'a\u2066b'])
      expect(await html(turned)).toBe('<p>ab</p>\n')
    expect(await html('مرحبا')).toBe('<p>مرحبا</p>\n')
  })
})

describe('what would take too much', () => {
  test('is refused where it nests too deep, and no text is left out silently', async () => {
    for (const deep of [`${'> '.repeat(10_000)}x`, '>'.repeat(50_000), '1. '.repeat(10_000)])
      expect(await refusal(deep)).toEqual([422, 'text', 'nesting'])
    expect(await html(`${'> '.repeat(40)}x`)).toContain('<p>x</p>')
  })

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['images', '!['.repeat(25_000)],
    ['stars', '*_'.repeat(25_000)],
    ['tables', `${'|a'.repeat(2_000)}\n${'|-'.repeat(2_000)}\n`.repeat(6)],
    ['addresses', 'http://'.repeat(7_000)],
    ['references', '[a]: /x\n'.repeat(6_000)],
  ])('50,000 characters of %s end within the bound', async (_, source) => {
    const begun = performance.now()
    await markdown
      .render(source, writer())
      .catch(({ status, code }) => expect([status, code]).toEqual([422, 'VALIDATION_ERROR']))
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  test.each([
    ['cells of tables', `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${`${'|a'.repeat(50)}\n`.repeat(40)}`],
    ['HTML', `[a]: /x\n\n${'[a]'.repeat(2_000)}`],
  ])('is refused where it becomes very much %s', async (_, source) => {
    expect(await refusal(source)).toEqual([422, 'text', 'markdown'])
  })

  test('is ended after its time, and the next text is rendered', async () => {
    const hasty = new Markdown({ threads: 1, timeLimitMs: 0 })
    await expect(hasty.render('*_'.repeat(25_000), writer())).rejects.toMatchObject({ status: 503 })
    await hasty.close()
    expect(await html('x')).toBe('<p>x</p>\n')
  })

  test('is not waited for by the thread that serves, and no more wait than agreed', async () => {
    const few = new Markdown({ threads: 1, waiting: 1 })
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((text) => few.render(text, writer())))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(outcomes[2]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '2' } } })
    await few.close()
  })

  test('of one project delays another project by one text', async () => {
    const done: number[] = []
    const render = (n: number) => markdown.render('x', writer(n)).then(() => done.push(n))
    await Promise.all([...Array.from({ length: 20 }, () => render(1)), render(2)])
    expect(done.indexOf(2)).toBeLessThanOrEqual(2)
  })
})
