import encodeQr from 'qr'

const SVG = 'http://www.w3.org/2000/svg'

/** A text as a QR code. @param label what is read aloud in its place */
export function qrOf(text: string, label: string): SVGSVGElement {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 3 })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const svg = document.createElementNS(SVG, 'svg')
  const attributes = {
    viewBox: `0 0 ${rows.length} ${rows.length}`,
    class: 'qr',
    role: 'img',
    'aria-label': label,
    'shape-rendering': 'crispEdges',
  }
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value)
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', squares.join(''))
  path.setAttribute('fill', '#000')
  svg.append(path)
  return svg
}
