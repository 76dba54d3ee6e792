import { describe, expect, test } from 'vitest'
import { readPageAddress } from './page-address.ts'

const PAGE = 'https://example.com/pricing'

const originOf = (referrer: string | undefined, page = PAGE) => {
  const { source, channel } = readPageAddress(page, referrer)
  return `${source}: ${channel}`
}

describe('the source of a visit', () => {
  test.each([
    ['https://www.google.com/', 'Google: Organic Search'],
    ['https://www.google.co.uk/search?q=a', 'Google: Organic Search'],
    ['https://google.com./', 'Google: Organic Search'],
    ['https://m.facebook.com/a', 'Facebook: Organic Social'],
    ['https://any.name.of.facebook.com/', 'Facebook: Organic Social'],
    ['https://t.co/abc', 'X: Organic Social'],
    ['https://news.ycombinator.com/', 'Hacker News: Organic Social'],
    ['https://mail.google.com/mail', 'Gmail: Email'],
    ['https://support.google.com/', 'Google: Referral'],
    ['https://docs.google.com/document/d/1', 'Google Docs: Referral'],
    ['https://sites.google.com/view/a', 'Google Sites: Referral'],
    ['https://accounts.google.com/', 'Google: Referral'],
    ['https://mistral.ai/', 'Mistral: AI Assistants'],
    ['https://chat.mistral.ai/chat', 'Mistral: AI Assistants'],
    ['android-app://com.google.android.gm/', 'Gmail: Email'],
    ['android-app://com.google.android.googlequicksearchbox/', 'Google: Organic Search'],
    ['android-app://com.linkedin.android/', 'LinkedIn: Organic Social'],
    ['android-app://org.example.reader/page', 'org.example.reader: Referral'],
    ['https://ad.doubleclick.net/', 'Doubleclick: Paid Other'],
    ['https://chatgpt.com/', 'ChatGPT: AI Assistants'],
    ['https://www.perplexity.ai/search', 'Perplexity: AI Assistants'],
    ['https://gemini.google.com/app', 'Gemini: AI Assistants'],
    ['https://claude.ai/', 'Claude: AI Assistants'],
  ])('is the site that %s belongs to', (referrer, origin) => {
    expect(originOf(referrer)).toBe(origin)
  })

  test.each([
    'google.evil.example',
    'google.com.evil.example',
    'www-google.com',
    'google.comedy.example',
    'bing.community',
    'mygoogle.com',
    'google.github.io',
    'facebook.blogspot.com',
    't.co.evil.example',
    'brave.example',
  ])('is a host’s own name where it only sounds like a known one: %s', (host) => {
    expect(originOf(`https://${host}/`)).toBe(`${host}: Referral`)
  })

  test.each(['constructor', 'prototype', 'tostring', 'hasownproperty', 'valueof', '__proto__', 'localhost'])(
    'is never invented: %s',
    (name) => {
      expect(originOf(`http://${name}/`)).toBe(`${name}: Referral`)
      expect(originOf(undefined, `${PAGE}?utm_source=${name}`)).toBe(`${name}: Referral`)
    },
  )

  test('is an address of numbers as it is', () => {
    expect(originOf('http://192.0.2.1/')).toBe('192.0.2.1: Referral')
    expect(originOf('http://[2001:db8::1]/')).toBe('[2001:db8::1]: Referral')
  })

  test.each([
    ['google', 'Google: Organic Search'],
    ['Twitter', 'X: Organic Social'],
    ['chatgpt.com', 'ChatGPT: AI Assistants'],
    ['yandex', 'Yandex: Organic Search'],
    ['news', 'news: Referral'],
    ['google.evil.example', 'google.evil.example: Referral'],
  ])('is the site that a tag names by its name or host: %s', (tag, origin) => {
    expect(originOf(undefined, `${PAGE}?utm_source=${tag}`)).toBe(origin)
  })
})
