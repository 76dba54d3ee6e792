import { describe, expect, test } from 'vitest'
import { cpuTime } from '#testkit/own-time.ts'
import { highlight, marksOf, SEARCHED_LENGTH, showFound } from './marking.ts'

const marked = (text: string, search: string) => highlight(text, marksOf(search))
const snippet = (text: string, search: string, title = '') =>
  showFound(marksOf(search), { title, text }).snippet
const marksIn = (shown: string) => [...shown.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word)

describe('a match is marked as a whole word', () => {
  test.each([
    ['Installed? Install it, reinstall it.', 'installing', ['Installed', 'Install']],
    ['A cat, a category', 'cat', ['cat', 'category']],
    ['Beiträge und Beitreten', 'Beitrag', ['Beiträge']],
    ['パスワードを変更する', 'パスワード', ['パスワード']],
  ])('in any case and form of the word: %s, %s', (text, search, words) => {
    expect(marksIn(marked(text, search))).toEqual(words)
  })

  test.each([
    ['Alle Kündigungsfristen.', 'kundigungsfristen', ['Kündigungsfristen']],
    ['Alle Ku\u0308ndigungsfristen.', 'kündigungsfristen', ['Ku\u0308ndigungsfristen']],
    ['Cre\u0300me brûlée!', 'creme brulee', ['Cre\u0300me', 'brûlée']],
    ['ﾊﾟｽﾜｰﾄﾞを変更', 'パスワード', ['ﾊﾟｽﾜｰﾄﾞ']],
    ['パスワードを変更', 'ﾊﾟｽﾜｰﾄﾞ', ['パスワード']],
    ['ガスとカス', 'カス', ['カス']],
    ['كَلِمَةُ المرور', 'كلمة', ['كَلِمَةُ']],
    ['الخـــروج من', 'الخروج', ['الخـــروج']],
    ['비밀번호'.normalize('NFD'), '비밀번호', ['비밀번호'.normalize('NFD')]],
    ['ΟΔΟΣ και οδός', 'οδος', ['ΟΔΟΣ', 'οδός']],
    ['Der ﬃgürliche Weg', 'ffi', ['ﬃgürliche']],
  ])('however it is accented, wide or composed: %s, %s', (text, search, words) => {
    expect(marksIn(marked(text, search))).toEqual(words)
  })

  test.each([
    ['Die Kündigungsfristen', 'Fristen', ['Kündigungsfristen']],
    ['Ihr Mitgliedsbeitragskonto', 'Beitrag', ['Mitgliedsbeitragskonto']],
    ['Ein Beitragskonto', 'Beitrag', ['Beitragskonto']],
  ])('within a compound: %s, %s', (text, search, words) => {
    expect(marksIn(marked(text, search))).toEqual(words)
  })

  test.each([
    ['Your reimbursement is paid.', 'reimbursment', ['reimbursement']],
    ['Alle Kündigungsfristen.', 'kündigungsfrsten', ['Kündigungsfristen']],
    ['Alle Kündigungsfristen.', 'kundigungfristen', ['Kündigungsfristen']],
    ['It ends immediately, with the media.', 'imediately', ['immediately']],
    ['Как сбросить пароль', 'пороль', ['пароль']],
    ['如何重置密码', '重制密马', ['重置密码']],
    ['パスワードを変更する', 'パスワド変更', ['パスワ', '変更']],
  ])('misspelled: %s, %s', (text, search, words) => {
    expect(marksIn(marked(text, search))).toEqual(words)
  })

  test('and nothing is guessed where the word itself stands in title or text', () => {
    const found = showFound(marksOf('install'), { title: 'Install it', text: 'An instant answer.' })
    expect(found).toEqual({ title_html: '<mark>Install</mark> it', snippet: 'An instant answer.' })
  })

  test('and neither what was excluded nor an operator is marked', () => {
    expect(marksIn(marked('cats or dogs and birds', 'cats or dogs -birds -"some and"'))).toEqual([
      'cats',
      'dogs',
    ])
  })
})

describe('a snippet', () => {
  const before = 'Ünïcödé wörds. '.repeat(200)
  const vowels = 'بِسْمِ اللَّهِ '.repeat(300)
  test.each([
    [before, 'Kündigungsfristen', 'kundigungsfristen'],
    [before.normalize('NFD'), 'Ku\u0308ndigungsfristen', 'Kündigungsfristen'],
    [before, 'ﾊﾟｽﾜｰﾄﾞ', 'パスワード'],
    [before, 'Kündigungsfristen', 'fristen'],
    [before, 'Kündigungsfristen', 'kündigungsfrsten'],
    [vowels, 'كَلِمَةُ', 'كلمة'],
    ['ﷺ '.repeat(500), 'reimbursement', 'reimbursment'],
  ])('is cut around what was found, wherever it stands: %#', (around, word, search) => {
    const shown = snippet(`${around}${word} ${around}`, search)
    expect(marksIn(shown)).toEqual([word])
    expect(shown.length).toBeLessThanOrEqual(280 + '<mark></mark>'.length)
    const [left = '', right = ''] = shown.split(/<mark>.*<\/mark>/)
    expect(Math.abs(left.length - right.length)).toBeLessThan(70)
  })

  test('shows the place that has the most of what was sought, in whole words', () => {
    const text = `a plan ${'word '.repeat(200)}the plan and its price ${'word '.repeat(200)}`
    const shown = snippet(text, 'plan price')
    expect(marksIn(shown)).toEqual(['plan', 'price'])
    expect(shown.replaceAll(/<[^>]*>/g, '')).toMatch(/^(?:word )+the plan and its price (?:word ?)+$/)
  })

  test('is the beginning where nothing of the text was found', () => {
    expect(snippet('', 'x')).toBe('')
    expect(before.startsWith(snippet(before, 'nothing'))).toBe(true)
    expect(snippet('😀'.repeat(200), 'nothing')).toBe('😀'.repeat(140))
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
    const words = Array.from({ length: 4_000 }, (_, i) => (i * 7919).toString(36)).join(' ')
    const texts = ['a', 'か', '重置', 'か\u3099', `${words} `]
    for (const text of texts) {
      const long = text.repeat(SEARCHED_LENGTH).slice(0, SEARCHED_LENGTH)
      const sought = [
        'aaaab '.repeat(20),
        'かかき '.repeat(20),
        '重制密马变更重制',
        'zzxxyy qqwwee '.repeat(9),
      ]
      for (const search of sought) expect(await cpuTime(() => snippet(long, search))).toBeLessThan(2_000)
    }
  })
})
