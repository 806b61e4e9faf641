// How a window comes back to an engine that was restarted: see main/api/returning.ts. It stands alone because the page
// that says "this link has been used" needs it too, and that one has none of the app.
;(() => {
  const place = 'godhand.window'
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const bytesOf = (text) => new TextEncoder().encode(text)

  const proofOf = async (key, challenge) => {
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const imported = await crypto.subtle.importKey('raw', bytesOf(key), hmac, false, ['sign'])
    return hex(await crypto.subtle.sign('HMAC', imported, bytesOf(`${challenge} ${location.origin}`)))
  }

  globalThis.returningWindow = {
    /** While we are known: keeps, for as long as this window is open, what it needs to be known again. */
    async prepare() {
      const answer = await fetch('/session/key', { method: 'POST' })
      if (answer.ok) sessionStorage.setItem(place, (await answer.json()).key)
    },
    /** True once the engine knows this window again. */
    async comeBack() {
      const key = sessionStorage.getItem(place)
      if (!key) return false
      const asked = await fetch('/session/challenge', { method: 'POST' })
      if (!asked.ok) return false
      const { challenge } = await asked.json()
      const body = JSON.stringify({ challenge, proof: await proofOf(key, challenge) })
      return (await fetch('/session', { method: 'POST', body })).ok
    },
  }

  if (document.currentScript?.dataset.reload === undefined) return
  globalThis.returningWindow.comeBack().then(
    (known) => known && location.reload(),
    () => {}, // the page already says what to do
  )
})()
