// Runs before the first paint, so that the chosen theme never flashes in late. The rest is in state/theme.ts.
try {
  const theme = localStorage.getItem('godhand.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be switched off; the system's theme is then right.
}
