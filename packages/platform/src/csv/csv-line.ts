/** A line of CSV by RFC 4180, with its end. What PostgreSQL writes below it looks the same. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Quoted where it must be, and where readers might trim it or take it for the end of the data. */
const csvCell = (text: string): string =>
  /[",\r\n]|^\s|\s$|^\\\.$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Says that what follows is UTF-8, to programs that would take it for something else. */
export const BYTE_ORDER_MARK = '\ufeff'
