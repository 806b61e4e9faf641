import { create } from 'zustand'

export type Theme = 'system' | 'light' | 'dark'

const key = 'godhand.theme' // read by public/theme.js too, as plain text

const isTheme = (value: unknown): value is Theme => value === 'system' || value === 'light' || value === 'dark'

function stored(): Theme {
  try {
    const value = localStorage.getItem(key)
    return isTheme(value) ? value : 'system'
  } catch {
    return 'system'
  }
}

export const useTheme = create<{ theme: Theme }>()(() => ({ theme: 'system' }))

const show = (theme: Theme) => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function startTheme(): void {
  useTheme.setState({ theme: stored() })
  useTheme.subscribe(({ theme }) => show(theme))
  show(stored())
}

export function chooseTheme(theme: Theme): void {
  useTheme.setState({ theme })
  try {
    localStorage.setItem(key, theme)
  } catch {
    // The choice then lasts as long as the page.
  }
}
