import { badMultipart } from './errors.ts'

export type FilePart = { fileName: string; contentType: string | undefined }

const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/
const PARAMETER = /;[ \t]*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/giy
const MAX_HEADERS = 16

/** Reads the headers of a file part, as one text without the blank line. Throws for anything but a file. */
export function parsePartHeaders(text: string): FilePart {
  const headers = new Map<string, string>()
  const lines = text === '' ? [] : text.split('\r\n')
  if (lines.length > MAX_HEADERS) throw badMultipart('the part has too many headers')
  for (const line of lines) {
    const [, name, value = ''] = HEADER.exec(line) ?? []
    if (name === undefined || hasControlCharacter(value)) throw badMultipart('a header of the part is malformed')
    if (headers.has(name.toLowerCase())) throw badMultipart('a header of the part is given twice')
    headers.set(name.toLowerCase(), value)
  }
  if (headers.has('content-transfer-encoding') && !isPlain(headers.get('content-transfer-encoding'))) {
    throw badMultipart('the part has a transfer encoding') // RFC 7578 4.7: deprecated, and not to be sent
  }
  const fileName = parseFileName(headers.get('content-disposition') ?? '')
  return { fileName, contentType: headers.get('content-type') }
}

function isPlain(encoding: string | undefined): boolean {
  return ['binary', '8bit', '7bit'].includes(encoding?.toLowerCase() ?? '')
}

/** The name of the file; the form's name for the field has no meaning here. */
function parseFileName(disposition: string): string {
  if (!/^form-data[ \t]*;/i.test(disposition)) throw badMultipart('the part is no form-data')
  const parameters = parseParameters(disposition.slice('form-data'.length).trim())
  const extended = parameters.get('filename*')
  const fileName = extended === undefined ? parameters.get('filename') : decodeExtended(extended)
  if (fileName === undefined || fileName === '') throw badMultipart('the part is no file with a name')
  if (hasControlCharacter(fileName)) throw badMultipart('the name of the file holds a control character')
  return fileName
}

function parseParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  let end = 0
  for (const match of text.matchAll(PARAMETER)) {
    const [whole, name = '', quoted, token] = match
    if (parameters.has(name.toLowerCase())) throw badMultipart(`the parameter ${name} is given twice`)
    parameters.set(name.toLowerCase(), token ?? decodeQuoted(quoted ?? ''))
    end = match.index + whole.length
  }
  if (end !== text.length) throw badMultipart('the Content-Disposition of the part is malformed')
  return parameters
}

/** Browsers write a quotation mark in a name as %22 (WHATWG, multipart/form-data encoding); older clients as \". */
function decodeQuoted(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('%22', '"')
}

/** RFC 8187: filename*=UTF-8''na%C3%AFve.pdf, which some clients send although RFC 7578 4.2 does without. */
function decodeExtended(text: string): string {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? []
  if (encoded === undefined) throw badMultipart('the name of the file is not encoded in UTF-8')
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw badMultipart('the name of the file is not encoded in UTF-8')
  }
}

/** C0, DEL and C1. */
function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
