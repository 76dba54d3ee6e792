const FROM = 'aeioucnyAEIOUCNY'
const TO = 'âéîöüçñýÂÉÎÖÜÇÑÝ'

/**
 * A text as no language has it, for tests: longer than German, with marks at its ends, and without any word that somebody could take
 * for English. What is not marked on a screen did not go through `t`.
 */
export function pseudo(text: string): string {
  const accented = text.replaceAll(/\{\w+\}|[a-zA-Z]/g, (each) => TO[FROM.indexOf(each)] ?? each)
  return `⟦${accented}${' ·'.repeat(Math.ceil(text.length / 6))}⟧`
}
