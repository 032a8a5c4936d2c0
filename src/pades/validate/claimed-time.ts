// The time that a signer claims (/M of the signature dictionary).
import { entry, type PdfDict } from '../value.ts'

const DATE = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z(?:00'?(?:00'?)?)?|([+-])(\d\d)'?(\d\d)'?)$/

/** A date as ISO 32000-2, 7.9.4 writes it, with seconds and a time zone; undefined for anything else. */
export function findClaimedTime(dict: PdfDict): Date | undefined {
  const value = entry(dict, 'M')
  const match = value?.kind === 'string' ? DATE.exec(value.bytes.toString('latin1')) : null
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetMinutes = (match[7] === '-' ? -1 : 1) * (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0))
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second) - offsetMinutes * 60_000)
  return Number.isNaN(time.getTime()) ? undefined : time
}
