// Instants on the wire have one format: UTC, six fraction digits, `Z` (protocol/README, "Twelve things", 12).
// The core knows no Date, so the civil calendar is computed here.

/** The latest instant that can be written with a four-digit year: 9999-12-31T23:59:59.999Z (epoch ms). */
export const latestInstant = 253_402_300_799_999

/** An instant some time after another; what would lie beyond the last writable instant is that instant. */
export function instantAfter(instant: number, durationMs: number): number {
  return Math.min(instant + durationMs, latestInstant)
}

/** Whole or fractional seconds of the wire in milliseconds, bounded like instants so that every sum stays exact. */
export function secondsToMs(seconds: number): number {
  return Math.min(Math.round(seconds * 1000), latestInstant)
}

/** Formats an instant of the engine (epoch milliseconds) as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function formatInstant(epochMs: number): string {
  const days = Math.floor(epochMs / 86_400_000)
  const rest = epochMs - days * 86_400_000
  const { year, month, day } = civilFromDays(days)
  const hours = Math.floor(rest / 3_600_000)
  const minutes = Math.floor(rest / 60_000) % 60
  const seconds = Math.floor(rest / 1000) % 60
  const ms = Math.floor(rest % 1000)
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(ms, 3)}000Z`
}

// Days since 1970-01-01 to a date of the proleptic Gregorian calendar: years begin in March, so that the leap day is
// the last of its year, and 400 years are one era of 146,097 days.
function civilFromDays(daysSinceEpoch: number): { year: number; month: number; day: number } {
  const days = daysSinceEpoch + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
