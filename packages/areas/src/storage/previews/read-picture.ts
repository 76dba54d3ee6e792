// Pictures of strangers are read here, and nowhere else. A file of a few kilobytes can say that it has billions of pixels:
// the reader stops at the head of it, before memory is taken.

/** Pixels of the largest picture that is read: phones make 50 million. */
const MOST_PIXELS = 50_000_000
/** Bytes of the largest file that is read. */
export const MOST_BYTES = 32 * 1024 * 1024
/** The longest side of a preview, in pixels. */
const PREVIEW_PIXELS = 640
/** After this time a picture is given up. */
const MOST_SECONDS = 20
/** The type of previews. */
export const PREVIEW_TYPE = 'image/webp'

/** The readers of the five types that browsers show. All others stay closed: they read what names.ts calls no picture. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`)

/** A picture as it is shown: turned as its camera noted. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly preview: { readonly width: number; readonly height: number; readonly bytes: Buffer }
}

/**
 * Measures a picture and makes its smaller size: the first image of a moving one, without what the file notes beside the
 * pixels, such as the place where it was taken.
 * @returns undefined for what cannot be read, or is too large
 */
export async function readPicture(bytes: Buffer): Promise<Picture | undefined> {
  const sharp = await openLibrary()
  const input = () =>
    sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1, autoOrient: true }).timeout({
      seconds: MOST_SECONDS,
    })
  try {
    const { autoOrient: shown } = await input().metadata()
    const { data, info } = await input()
      .resize({ width: PREVIEW_PIXELS, height: PREVIEW_PIXELS, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer({ resolveWithObject: true })
    return {
      width: shown.width,
      height: shown.height,
      preview: { width: info.width, height: info.height, bytes: data },
    }
  } catch {
    // Whatever the library refuses is about the file: it is not read again.
    return undefined
  }
}

/** The library is loaded when the first picture is read: 20 MB that other processes do not need. */
async function openLibrary() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: READERS })
  return sharp
}
