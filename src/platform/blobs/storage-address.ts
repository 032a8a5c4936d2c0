/** Where blobs are kept, as the operator wrote it. */
export type StorageAddress =
  | { kind: 'folder'; folder: string }
  | { kind: 's3'; bucket: string; endpoint: string | undefined; region: string | undefined }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PARAMETERS = new Set(['endpoint', 'region'])

/**
 * Reads a folder, or `s3://bucket?endpoint=…&region=…`. Throws an Error with one clear line. Credentials are not part
 * of it: they come from where S3 tools look for them, so that the address may be logged.
 */
export function parseStorageAddress(text: string): StorageAddress {
  if (text.trim() === '') throw new Error('storage: a folder or s3://bucket is expected, not an empty text')
  if (!text.startsWith('s3://')) return parseFolder(text)
  const url = URL.parse(text)
  if (url === null) throw new Error(`storage: ${text} is not an address of the form s3://bucket?endpoint=…&region=…`)
  if (url.username !== '' || url.password !== '') {
    throw new Error('storage: credentials do not belong in the address; set AWS_ACCESS_KEY_ID and the like')
  }
  if (!BUCKET.test(url.hostname) || url.port !== '' || !['', '/'].includes(url.pathname)) {
    throw new Error(`storage: ${url.host}${url.pathname} is not the name of a bucket`)
  }
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name)) throw new Error(`storage: the parameter ${name} is not known, only endpoint and region`)
  }
  return {
    kind: 's3',
    bucket: url.hostname,
    endpoint: parseEndpoint(url.searchParams.get('endpoint')),
    region: url.searchParams.get('region') ?? undefined,
  }
}

function parseFolder(text: string): StorageAddress {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw new Error('storage: only a folder or s3:// is supported')
  return { kind: 'folder', folder: text }
}

function parseEndpoint(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`storage: the endpoint ${text} is not an http or https address`)
  }
  return url.origin
}
