import { InvalidArgumentError } from 'commander'

/** Numbers as they stand on a command line. */
export function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function count(text: string): number {
  const value = wholeNumber(text)
  if (value < 1) throw new InvalidArgumentError('It must be at least 1.')
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

export function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be between 0 and 1.')
  return value
}
