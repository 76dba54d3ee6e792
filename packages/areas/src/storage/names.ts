import { create } from 'content-disposition'

export const NAME_LENGTH = 255

/** What cannot be seen but changes what is: control characters, and those that turn the direction of writing. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The name of a file as people see it, made from whatever a client sent. It is shown, and never part of a path. */
export function cleanName(text: string): string {
  const last = text.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const visible = last.replaceAll(INVISIBLE, '').trim()
  if (visible === '' || visible === '.' || visible === '..') return 'file'
  const letters = [...visible]
  if (letters.length <= NAME_LENGTH) return visible
  const extension = [...(/\.\w{1,16}$/.exec(visible)?.[0] ?? '')]
  return [...letters.slice(0, NAME_LENGTH - extension.length), ...extension].join('')
}

/** What browsers may show in place: nothing in these types is executed. */
const SHOWN = [
  ...['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp', 'x-icon'].map((type) => `image/${type}`),
  ...['aac', 'flac', 'mpeg', 'mp4', 'ogg', 'opus', 'wav', 'webm', 'x-m4a'].map((type) => `audio/${type}`),
  ...['mp4', 'mpeg', 'ogg', 'quicktime', 'webm', 'x-m4v'].map((type) => `video/${type}`),
  'application/pdf',
  'text/plain',
]

/** Types of pictures that every browser shows and that execute nothing. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
export const isPicture = (contentType: string): boolean => PICTURES.has(contentType)

export const isShown = (contentType: string): boolean => SHOWN.includes(contentType)

/** The Content-Type of a file. Text is UTF-8. */
export const typeHeader = (contentType: string): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

/** The Content-Disposition of a file: everything that a browser could execute is to be saved. */
export const dispositionOf = ({ name, content_type }: { name: string; content_type: string }): string =>
  create(name, { type: isShown(content_type) ? 'inline' : 'attachment' })

// Where the bytes of a file are. Keys are made of ids, so a name gives no key away.

/** All that belongs to a file. */
export const prefixOf = (projectId: string, fileId: string): string => `${projectId}/${fileId}/`

/** Where its bytes are for good. Written once, and by us alone. */
export const objectKey = (projectId: string, fileId: string, objectId: string): string =>
  prefixOf(projectId, fileId) + objectId

/** What stands in place of the object's id for the smaller size of a picture: made once, beside it. */
export const previewObject = (objectId: string): string => `${objectId}-preview`

/** Where a client puts them that sends them past us, for as long as its URL works. */
export const uploadKey = (projectId: string, fileId: string): string => `${prefixOf(projectId, fileId)}upload`
