import { describe, expect, it } from 'vitest'
import { systemSealer } from './sealer.ts'
import { safeStorage } from './testing/electron-stand-in.ts'

const storage = (backend: 'basic_text' | 'gnome_libsecret' | 'unknown', available = true) => ({
  ...safeStorage,
  isEncryptionAvailable: () => available,
  getSelectedStorageBackend: () => backend,
})

describe('the system’s keychain', () => {
  it('locks things away where there is one', () => {
    const sealer = systemSealer(storage('gnome_libsecret'), 'linux')
    expect(sealer.isEncryptionAvailable()).toBe(true)
    expect(sealer.weakness).toBeUndefined()
    expect(sealer.decryptString(sealer.encryptString('a secret'))).toBe('a secret')
  })

  it('is not believed on Linux when it falls back to basic_text, and says so', () => {
    const sealer = systemSealer(storage('basic_text'), 'linux')
    expect(sealer.isEncryptionAvailable()).toBe(false)
    expect(sealer.weakness).toContain('no keyring')
  })

  it('is asked for its backend on Linux only', () => {
    expect(systemSealer(storage('basic_text'), 'darwin').isEncryptionAvailable()).toBe(true)
    expect(systemSealer(storage('unknown', false), 'win32').isEncryptionAvailable()).toBe(false)
  })
})
