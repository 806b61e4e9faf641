/** Numbers as people read them. */

const locale = 'en'
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  return wholeDuration(ms)
}

/** Without fractions, for something that is counting. */
export function wholeDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

export function ago(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (seconds > -45) return 'just now'
  if (seconds > -3600) return relative.format(Math.min(-1, Math.round(seconds / 60)), 'minute')
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3600), 'hour')
  if (seconds > -7 * 86_400) return relative.format(Math.round(seconds / 86_400), 'day')
  return moment.format(new Date(iso))
}

export const exactMoment = (iso: string): string => moment.format(new Date(iso))

export function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let unit = 0
  let value = count
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export const memory = (mb: number): string => bytes(mb * 1024 * 1024)
