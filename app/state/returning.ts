declare global {
  /** Of public/returning.js, which runs before the app. */
  var returningWindow: { prepare(): Promise<void>; comeBack(): Promise<boolean> } | undefined
}

/** An engine that was restarted does not know this window; it proves itself and goes on, without a reload. */
export async function comeBack(goOn: () => void): Promise<void> {
  const known = await globalThis.returningWindow?.comeBack().catch(() => false)
  if (known) goOn()
}

/** Nothing is lost but the convenience when it fails: a fresh link opens the window again. */
export function prepareToComeBack(): void {
  globalThis.returningWindow?.prepare().catch(() => {})
}
