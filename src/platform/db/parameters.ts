// Parameters as they go over the wire: text, or bytes as they are. PostgreSQL knows the type of each from the statement.

export type WireValue = string | Buffer | null

/** One parameter. A statement's JSON is a text already. */
export function encodeParameter(value: unknown): WireValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return encodeArray(value)
  throw new Error(`a parameter can't be a ${typeof value}`)
}

function encodeArray(values: unknown[]): string {
  return `{${values.map(encodeElement).join(',')}}`
}

function encodeElement(value: unknown): string {
  if (Array.isArray(value)) return encodeArray(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  const text = encodeParameter(value) as string | null
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
