// Pictures for appearances: a PNG is unpacked and stored as colours and a mask, a JPEG is embedded as it is.
import { deflateSync } from 'node:zlib'
import { inflate, paeth } from './filters.ts'
import { Budget, DEFAULT_LIMITS } from './limits.ts'
import { PdfRefused } from './refused.ts'
import type { Update } from './update.ts'
import { reference, type ObjectId } from './write.ts'

const MAX_PIXELS = 4_000_000
const MAX_IMAGE_BYTES = 4 * 1024 * 1024

export interface EmbeddedImage {
  readonly ref: ObjectId
  readonly width: number
  readonly height: number
}

export interface ImageOptions {
  /** False where the document may not contain transparency; the picture is then put on white. */
  readonly mayBeTransparent: boolean
}

const unusable = (why: string) => new PdfRefused('unsupported', `The picture of the signature cannot be used: ${why}.`)

/** Embeds a PNG or JPEG, told apart by its bytes. */
export function embedImage(update: Update, bytes: Buffer, options: ImageOptions): EmbeddedImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw unusable('it is larger than 4 MB')
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return embedPng(update, bytes, options)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return embedJpeg(update, bytes)
  throw unusable('it is neither PNG nor JPEG')
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Samples for each pixel by PNG colour type; a palette index counts as one. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Png {
  readonly width: number
  readonly height: number
  readonly colourType: number
  readonly palette: Buffer
  readonly paletteAlpha: Buffer
  readonly data: Buffer
}

function embedPng(update: Update, bytes: Buffer, { mayBeTransparent }: ImageOptions): EmbeddedImage {
  const png = readPng(bytes)
  const { width, height } = png
  const { colours, alpha, isGrey } = separate(png, unpackRows(png))
  const size = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Filter /FlateDecode`
  if (!mayBeTransparent) putOnWhite(colours, alpha)
  const isOpaque = !mayBeTransparent || alpha.every((value) => value === 255)
  const mask = isOpaque ? undefined : update.addStream(`${size} /ColorSpace /DeviceGray`, deflateSync(alpha))
  const maskEntry = mask === undefined ? '' : `/SMask ${reference(mask)}`
  const colourSpace = isGrey ? '/DeviceGray' : '/DeviceRGB'
  const ref = update.addStream(`${size} /ColorSpace ${colourSpace} ${maskEntry}`, deflateSync(colours))
  return { ref, width, height }
}

/** As transparent pixels look on paper. */
function putOnWhite(colours: Buffer, alpha: Buffer): void {
  const perPixel = colours.length / alpha.length
  for (let at = 0; at < colours.length; at++) {
    const opacity = (alpha[Math.floor(at / perPixel)] as number) / 255
    colours[at] = Math.round((colours[at] as number) * opacity + 255 * (1 - opacity))
  }
}

function readPng(bytes: Buffer): Png {
  const chunks = pngChunks(bytes)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header?.length !== 13) throw unusable('it is damaged')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, colourType, , , interlace] = header.subarray(8) as unknown as [number, number, number, number, number]
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) throw unusable('it has too many pixels')
  if (depth !== 8 || SAMPLES[colourType] === undefined || interlace !== 0) {
    throw unusable('only PNG with 8 bits a sample and without interlacing is read')
  }
  const joined = (wanted: string) => Buffer.concat(chunks.filter(({ type }) => type === wanted).map(({ data }) => data))
  return { width, height, colourType, palette: joined('PLTE'), paletteAlpha: joined('tRNS'), data: joined('IDAT') }
}

function pngChunks(bytes: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function unpackRows({ width, height, colourType, data }: Png): Buffer {
  const samples = SAMPLES[colourType] as number
  const rowBytes = width * samples
  const expected = (rowBytes + 1) * height
  const limits = { ...DEFAULT_LIMITS, inflateAllowanceBytes: expected + 1024, maxInflatedBytes: expected + 1024 }
  let packed: Buffer
  try {
    packed = inflate(data, new Budget(limits))
  } catch {
    throw unusable('it is damaged')
  }
  if (packed.length < expected) throw unusable('it is damaged')
  const rows = Buffer.alloc(rowBytes * height)
  for (let row = 0; row < height; row++) unpackRow(packed, rows, { row, rowBytes, samples })
  return rows
}

/** Undoes the filter of one row (PNG specification, 9.2). */
function unpackRow(
  packed: Buffer,
  rows: Buffer,
  { row, rowBytes, samples }: { row: number; rowBytes: number; samples: number },
): void {
  const from = row * (rowBytes + 1)
  const to = row * rowBytes
  const filter = packed[from] as number
  if (filter > 4) throw unusable('it is damaged')
  for (let index = 0; index < rowBytes; index++) {
    const left = index >= samples ? (rows[to + index - samples] as number) : 0
    const up = row > 0 ? (rows[to + index - rowBytes] as number) : 0
    const upLeft = row > 0 && index >= samples ? (rows[to + index - rowBytes - samples] as number) : 0
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter] as number
    rows[to + index] = (packed[from + 1 + index] as number) + guess
  }
}

interface Separated {
  readonly colours: Buffer
  readonly alpha: Buffer
  readonly isGrey: boolean
}

function separate({ width, height, colourType, palette, paletteAlpha }: Png, rows: Buffer): Separated {
  const pixels = width * height
  const isGrey = colourType === 0 || colourType === 4
  const perPixel = isGrey ? 1 : 3
  const samples = SAMPLES[colourType] as number
  const colours = Buffer.alloc(pixels * perPixel)
  const alpha = Buffer.alloc(pixels, 255)
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * samples
    if (colourType === 3) {
      const index = rows[at] as number
      palette.copy(colours, pixel * 3, index * 3, index * 3 + 3)
      alpha[pixel] = paletteAlpha[index] ?? 255
    } else {
      rows.copy(colours, pixel * perPixel, at, at + perPixel)
      if (samples > perPixel) alpha[pixel] = rows[at + perPixel] as number
    }
  }
  return { colours, alpha, isGrey }
}

function embedJpeg(update: Update, bytes: Buffer): EmbeddedImage {
  const { width, height, components } = readJpegFrame(bytes)
  const colourSpace = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }[components]
  if (colourSpace === undefined || width === 0 || height === 0 || width * height > MAX_PIXELS * 4) {
    throw unusable('its size or colours are unusual')
  }
  // Adobe programs store CMYK inverted and say so in an APP14 segment.
  const decode = components === 4 && bytes.includes('Adobe') ? '/Decode [1 0 1 0 1 0 1 0]' : ''
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Filter /DCTDecode`
  return { ref: update.addStream(`${entries} /ColorSpace ${colourSpace} ${decode}`, bytes), width, height }
}

function readJpegFrame(bytes: Buffer): { width: number; height: number; components: number } {
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] as number
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      return {
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        components: bytes[at + 9] as number,
      }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  throw unusable('it is damaged')
}
