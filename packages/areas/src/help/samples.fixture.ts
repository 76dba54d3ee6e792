import type { Side } from '#testkit/factories.ts'

/** What the paths of the help center name. */
export const samples = {
  art: writeArticle,
  cat: makeCategory,
}

/** A published article with a translation. */
async function writeArticle(side: Side): Promise<{ id: string }> {
  const text = { title: 'Reset your password', content: 'Open **Settings**.' }
  const { id } = (await side.admin.post<{ data: { id: string } }>('/help/articles', text)).body.data
  await side.admin.post(`/help/articles/${id}/publish`)
  await side.admin.put(`/help/articles/${id}/translations/de`, text)
  return { id }
}

async function makeCategory(side: Side): Promise<{ id: string }> {
  return (await side.admin.post<{ data: { id: string } }>('/help/categories', { name: 'Account' })).body.data
}
