import { expect, test } from 'vitest'
import { withoutSecrets } from './copies.ts'

test('a copy keeps words and amounts, and no link or code of the mail', () => {
  const values = {
    ...{
      link: 'https://api.example.com/auth/continue?token=abc',
      code: '418206',
      name: 'Ada',
      amount: '€9.90',
    },
    ...{
      text: 'Open https://shop.example.com/pay?secret=1, or write to us',
      unsubscribe: 'http://x.example/u/abc',
      items: [{ title: 'Reply', url: 'https://x.example/t?token=1', login_code: '1234' }],
    },
  }
  expect(withoutSecrets(values, 'https://api.example.com')).toEqual({
    ...{ link: 'https://api.example.com', code: '000000', name: 'Ada', amount: '€9.90' },
    ...{ text: 'Open https://api.example.com or write to us', unsubscribe: 'https://api.example.com' },
    items: [{ title: 'Reply', url: 'https://api.example.com', login_code: '000000' }],
  })
})
