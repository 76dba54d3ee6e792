/** Databases of countries by address, in the MMDB format 2.0, small enough for tests. */

type Value = string | { readonly [key: string]: Value }

const RECORD_BYTES = 3
const SEPARATOR = Buffer.alloc(16)
const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
const [TEXT, UINT16, UINT32, MAP, UINT64] = [2, 5, 6, 7, 9]

/** A node of the tree: where each bit leads to; a text is a country. */
type Node = [Node | string | undefined, Node | string | undefined]

/**
 * The bytes of a database.
 * @param countries by IPv4 networks, like `{ '192.0.2.0/24': 'DE' }`
 */
export function makeCountryDatabase(countries: Readonly<Record<string, string>>): Buffer {
  const root: Node = [undefined, undefined]
  for (const [network, country] of Object.entries(countries)) insert(root, network, country)
  const nodes = nodesOf(root)
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  const data: Buffer[] = []
  const places = new Map<string, number>()
  for (const country of new Set(Object.values(countries))) {
    places.set(
      country,
      data.reduce((sum, { length }) => sum + length, 0),
    )
    data.push(encode({ country: { iso_code: country } }))
  }
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES)
  for (const [i, node] of nodes.entries())
    for (const [side, to] of node.entries()) {
      const record =
        to === undefined
          ? nodes.length
          : typeof to === 'string'
            ? nodes.length + SEPARATOR.length + (places.get(to) ?? 0)
            : (numbers.get(to) ?? 0)
      tree.writeUIntBE(record, (i * 2 + side) * RECORD_BYTES, RECORD_BYTES)
    }
  return Buffer.concat([tree, SEPARATOR, ...data, MARKER, metadata(nodes.length)])
}

function insert(root: Node, network: string, country: string): void {
  const [address = '', length = '32'] = network.split('/')
  const bits = address
    .split('.')
    .flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number))
    .slice(0, Number(length))
  const last = bits.pop() ?? 0
  let node = root
  for (const bit of bits) {
    const next = node[bit] ?? [undefined, undefined]
    if (typeof next === 'string') throw new Error(`${network} is within another network`)
    node[bit] = next
    node = next
  }
  node[last] = country
}

/** A node and all below it; the root comes first. */
const nodesOf = (node: Node): Node[] => [
  node,
  ...node.flatMap((to) => (to === undefined || typeof to === 'string' ? [] : nodesOf(to))),
]

const metadata = (nodes: number): Buffer =>
  Buffer.concat([
    control(MAP, 7),
    ...[
      ['binary_format_major_version', number(UINT16, 2)] as const,
      ['binary_format_minor_version', number(UINT16, 0)] as const,
      ['build_epoch', number(UINT64, 1_700_000_000)] as const,
      ['database_type', encode('Test-Country')] as const,
      ['ip_version', number(UINT16, 4)] as const,
      ['node_count', number(UINT32, nodes)] as const,
      ['record_size', number(UINT16, RECORD_BYTES * 8)] as const,
    ].flatMap(([name, value]) => [encode(name), value]),
  ])

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(TEXT, value.length), Buffer.from(value)])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(MAP, entries.length),
    ...entries.flatMap(([name, each]) => [encode(name), encode(each)]),
  ])
}

/** What a value begins with: its type and size. Types above 7 stand in a byte of their own. */
function control(type: number, size: number): Buffer {
  if (size > 28) throw new Error('only short values are written')
  return Buffer.from(type > 7 ? [size, type - 7] : [(type << 5) | size])
}

function number(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  const first = bytes.findIndex((byte) => byte !== 0)
  const significant = first === -1 ? Buffer.alloc(0) : bytes.subarray(first)
  return Buffer.concat([control(type, significant.length), significant])
}
