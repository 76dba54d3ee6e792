/** A line of CSV by RFC 4180, with its line end. The lines that PostgreSQL writes after it look the same. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Quotes a cell if it must be quoted, and if a reader might trim it or take it for the end of the data. */
const csvCell = (text: string): string =>
  /[",\r\n]|^\s|\s$|^\\\.$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Tells programs that the text is UTF-8, if they would otherwise assume another encoding. */
export const BYTE_ORDER_MARK = '\ufeff'
