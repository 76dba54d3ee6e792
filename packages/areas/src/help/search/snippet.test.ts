import { describe, expect, test } from 'vitest'
import { cpuTime } from '#testkit/own-time.ts'
import { highlight, marksOf, SEARCHED_LENGTH, snippetOf } from './snippet.ts'

const marked = (text: string, search: string) => highlight(text, marksOf(search))

describe('a snippet', () => {
  test('marks what was sought, in any case and in other forms of a word', () => {
    expect(marked('Installed? Install it, reinstall it.', 'installing')).toBe(
      '<mark>Installed</mark>? <mark>Install</mark> it, reinstall it.',
    )
    expect(marked('A cat, a category', 'cat')).toBe('A <mark>cat</mark>, a <mark>category</mark>')
    expect(marked('パスワードを変更する', 'パスワード')).toBe('<mark>パスワード</mark>を変更する')
  })

  test('marks words that are written with other accents or in another width', () => {
    expect(marked('Alle Kündigungsfristen.', 'kundigungsfristen')).toBe(
      'Alle <mark>Kündigungsfristen</mark>.',
    )
    expect(marked('Cre\u0300me brûlée!', 'creme brulee')).toBe(
      '<mark>Cre\u0300me</mark> <mark>brûlée</mark>!',
    )
    expect(marked('ﾊﾟｽﾜｰﾄﾞを変更', 'パスワード')).toBe('<mark>ﾊﾟｽﾜｰﾄﾞ</mark>を変更')
    expect(marked('パスワードを変更', 'ﾊﾟｽﾜｰﾄﾞ')).toBe('<mark>パスワード</mark>を変更')
    expect(marked('كَلِمَةُ المرور', 'كلمة')).toBe('<mark>كَلِمَةُ</mark> المرور')
    expect(marked('Die Kündigungsfristen', 'fristen')).toBe('Die Kündigungs<mark>fris</mark>ten')
  })

  test('is cut around the first word that was found, however it is written', () => {
    const before = 'Ünïcödé wörds. '.repeat(200)
    for (const [word, search] of [
      ['Kündigungsfristen', 'kundigungsfristen'],
      ['ﾊﾟｽﾜｰﾄﾞ', 'パスワード'],
      ['Kündigungsfristen', 'fristen'],
    ] as const) {
      const snippet = snippetOf(`${before}${word} ${before}`, marksOf(search))
      expect(snippet).toContain('<mark>')
      expect(snippet.length).toBeLessThan(350)
    }
    expect(snippetOf('', marksOf('x'))).toBe('')
    expect(snippetOf(before, marksOf('nothing'))).toBe(highlight(before.slice(0, 280), []))
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
    const marks = marksOf('aaaab '.repeat(20))
    expect(await cpuTime(() => snippetOf('a'.repeat(SEARCHED_LENGTH), marks))).toBeLessThan(2_000)
  })
})
