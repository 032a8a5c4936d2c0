// Dates as people write them where they live, always with the zone: a deadline without one is not a deadline.
import { localeOf } from './languages.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const

type Moment = { tag: string | null | undefined; at: Date; timezone: string }

/** Day and time, with the zone: "15 November 2026 at 16:00 UTC". */
export function formatMoment({ tag, at, timezone }: Moment): string {
  return new Intl.DateTimeFormat(localeOf(tag), {
    ...DAY,
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  }).format(at)
}

/** The same with its second, where the order of things counts: "15 November 2026 at 16:00:07 UTC". */
export function formatSecond({ tag, at, timezone }: Moment): string {
  return new Intl.DateTimeFormat(localeOf(tag), {
    ...DAY,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  }).format(at)
}

/** The time alone, with the zone: "16:00 UTC". */
export function formatTime({ tag, at, timezone }: Moment): string {
  return new Intl.DateTimeFormat(localeOf(tag), {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  }).format(at)
}
