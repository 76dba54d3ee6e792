import type { FieldFault } from '#platform/errors.ts'
import type { Line } from './read-lines.ts'

/** Which items of a file are merged into which: a merge that would close a circle is a fault. */
export class Merges {
  /** What an item is merged into, by the ids of the file. */
  readonly #into = new Map<string, string>()

  /** Notes the merge of a line, and answers the line with its faults. */
  check<L extends Line>(line: L): L {
    const { record, value, faults } = line
    if (record !== 'merge' || faults.length > 0) return line
    const [item, into] = [String(value['feedback_id']), String(value['into'])]
    const fault = this.#faultOf(item, into)
    if (fault === undefined) {
      this.#into.set(item, into)
      return line
    }
    return { ...line, faults: [fault] }
  }

  #faultOf(item: string, into: string): FieldFault | undefined {
    if (this.#into.has(item))
      return { field: 'feedback_id', rule: 'unique', message: 'is merged on a line before this one' }
    for (let above: string | undefined = into; above !== undefined; above = this.#into.get(above))
      if (above === item) return { field: 'into', rule: 'circle', message: 'is merged into this item itself' }
    return undefined
  }
}
