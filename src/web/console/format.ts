// Dates and numbers as the reader writes them, in the reader's zone.

const LOCALES = navigator.languages.filter(isLocale)

/** Browsers on odd machines name languages that are none, such as en-US@posix. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

const MOMENT = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'medium', timeStyle: 'short' })
const EXACT = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'full', timeStyle: 'long' })
const DAY = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'medium' })
const TIME = new Intl.DateTimeFormat(LOCALES, { timeStyle: 'medium' })
const AMOUNT = new Intl.NumberFormat(LOCALES)
// The words around it are English, so these are too.
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const SECOND_MS = 1000
const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * 24 * 3600 * SECOND_MS],
  ['month', 30 * 24 * 3600 * SECOND_MS],
  ['day', 24 * 3600 * SECOND_MS],
  ['hour', 3600 * SECOND_MS],
  ['minute', 60 * SECOND_MS],
]

/** Day and time: "15 Nov 2026, 16:00". */
export function formatMoment(iso: string): string {
  return MOMENT.format(new Date(iso))
}

/** Everything, with the zone, for where it matters legally. */
export function formatExactly(iso: string): string {
  return EXACT.format(new Date(iso))
}

export function formatDay(iso: string): string {
  return DAY.format(new Date(iso))
}

export function formatTime(iso: string): string {
  return TIME.format(new Date(iso))
}

/** "in 3 days", "2 hours ago", "just now". */
export function formatDistance(iso: string, now: number = Date.now()): string {
  const distance = new Date(iso).getTime() - now
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return AGO.format(Math.round(distance / ms), unit)
  }
  return distance > 0 ? 'in a moment' : 'just now'
}

export function formatAmount(amount: number): string {
  return AMOUNT.format(amount)
}

/** "3 people", "1 person". */
export function formatCount(amount: number, one: string, many: string): string {
  return `${formatAmount(amount)} ${amount === 1 ? one : many}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / (1024 * 1024), 'MB']
  return `${new Intl.NumberFormat(LOCALES, { maximumFractionDigits: size < 10 ? 1 : 0 }).format(size)} ${unit}`
}

/** What people call somebody: the name, or else the e-mail address. */
export function nameOf(person: { firstName: string | null; lastName: string | null; email: string | null }): string {
  return [person.firstName, person.lastName].filter(Boolean).join(' ') || person.email || 'Somebody without a name'
}
