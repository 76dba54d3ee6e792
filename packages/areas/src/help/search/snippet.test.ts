import { describe, expect, test } from 'vitest'
import { cpuTime } from '#testkit/own-time.ts'
import { highlight, marksOf } from './snippet.ts'

const marked = (text: string, search: string) => highlight(text, marksOf(search))

describe('a snippet', () => {
  test('marks what was sought, in any case and in other forms of a word', () => {
    expect(marked('Installed? Install it, reinstall it.', 'installing')).toBe(
      '<mark>Installed</mark>? <mark>Install</mark> it, reinstall it.',
    )
    expect(marked('A cat, a category', 'cat')).toBe('A <mark>cat</mark>, a <mark>category</mark>')
    expect(marked('パスワードを変更する', 'パスワード')).toBe('<mark>パスワード</mark>を変更する')
  })

  test('is escaped, whatever stands in the text or was sought', () => {
    expect(marked('<script>alert("x")</script> & <b>', 'script')).toBe(
      '&lt;<mark>script</mark>&gt;alert(&quot;x&quot;)&lt;/<mark>script</mark>&gt; &amp; &lt;b&gt;',
    )
    for (const search of ['<b>', '.*', '(((', '\\', '[a-', '$&', '<mark>'])
      expect(marked('<img onerror=1>', search)).not.toContain('<img')
    expect(marked('a.b', '.')).toBe('a.b')
  })

  test('of 10,000 letters takes no time', async () => {
    const search = `${'a'.repeat(10_000)} ${'b '.repeat(5_000)}`
    expect(await cpuTime(() => marked('a'.repeat(280), search))).toBeLessThan(2_000)
  })
})
