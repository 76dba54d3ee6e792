import type { File as StoredFile, UploadRequest } from './api.generated.ts'
import type { Guildhall } from './client.ts'
import { GuildhallError } from './errors.ts'

export interface UploadOptions {
  /** The name that people see. By default the name of the file. */
  readonly name?: string
  readonly visibility?: NonNullable<UploadRequest['visibility']>
  /** The member to whom the file belongs. */
  readonly ownerId?: string
  readonly signal?: AbortSignal
  /** Called with the share that was sent, from 0 to 1. Browsers say it in steps, other runtimes at the begin and the end. */
  readonly onProgress?: (share: number) => void
}

/** A file that is larger goes to the storage itself, past the API. */
const LARGE_BYTES = 8 * 1024 * 1024

/** Stores a file. @throws GuildhallError */
export async function uploadFile(
  guildhall: Guildhall,
  file: Blob,
  options: UploadOptions = {},
): Promise<StoredFile> {
  const { signal, onProgress } = options
  const name = options.name ?? (file as { name?: string }).name ?? 'file'
  const more = {
    ...(options.visibility !== undefined && { visibility: options.visibility }),
    ...(options.ownerId !== undefined && { owner_id: options.ownerId }),
  }
  onProgress?.(0)
  if (file.size <= LARGE_BYTES) {
    const form = new FormData()
    for (const [field, value] of Object.entries({ name, ...more })) form.set(field, value)
    form.set('file', file, name)
    const stored = await guildhall.storage.files.upload(form, { signal })
    onProgress?.(1)
    return stored
  }
  const contentType = file.type === '' ? 'application/octet-stream' : file.type
  const upload = await guildhall.storage.uploads.create(
    { name, size: file.size, content_type: contentType, ...more },
    { signal },
  )
  // Only an upload in parts has no address of its own.
  const status = upload.url === null ? 0 : await put(upload.url, upload.headers, file, options)
  if (status < 200 || status > 299)
    throw new GuildhallError(`The storage refused the file with the status ${status}`, {
      code: 'UPLOAD_REFUSED',
      status,
      operation: 'storage.uploads.create',
    })
  const stored = await guildhall.storage.uploads.complete(upload.id, {}, { signal })
  onProgress?.(1)
  return stored
}

/** As much of XMLHttpRequest as is used: only it tells how much was sent. */
interface Xhr {
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null }
  readonly status: number
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: Blob): void
  abort(): void
}

/** @returns the status */
async function put(
  url: string,
  headers: Record<string, string>,
  body: Blob,
  { signal, onProgress }: UploadOptions,
): Promise<number> {
  const { XMLHttpRequest: Request } = globalThis as { XMLHttpRequest?: new () => Xhr }
  if (Request === undefined || onProgress === undefined)
    return (await fetch(url, { method: 'PUT', headers, body, signal: signal ?? null })).status
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new Request()
    const fail = () => reject(signal?.reason ?? new TypeError('The storage cannot be reached'))
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers))
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => resolve(request.status)
    request.onerror = fail
    request.onabort = fail
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
