/** What a thread of tests does: it holds its core for some milliseconds, and answers the text. */
export default ({ text, ms }: { readonly text: string; readonly ms: number }): string => {
  const end = performance.now() + ms
  while (performance.now() < end);
  return text
}
