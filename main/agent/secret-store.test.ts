import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Sealer, SecretStore } from './secret-store.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gh-secrets-'))
  file = path.join(folder, 'secrets.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keychain = (part: Partial<Sealer> = {}): Sealer => ({
  isEncryptionAvailable: () => true,
  encryptString: (text) => Buffer.from(text.split('').reverse().join('')),
  decryptString: (sealed) => sealed.toString().split('').reverse().join(''),
  ...part,
})

describe('secrets on disk', () => {
  it('are sealed where there is a keychain, with nothing to warn of', async () => {
    const store = new SecretStore(file, keychain())
    await store.set('api_key', 'anthropic', 'open sesame')
    expect(readFileSync(file, 'utf8')).not.toContain('open sesame')
    expect(store.warning).toBeNull()
    expect(await new SecretStore(file, keychain()).get('api_key', 'anthropic')).toBe('open sesame')
  })

  it('are readable without a keychain, and the person is told why and where', async () => {
    const weak = keychain({ isEncryptionAvailable: () => false, weakness: 'This desktop has no keyring.' })
    const store = new SecretStore(file, weak)
    await store.set('secret', 'password', 'open sesame')
    expect(await new SecretStore(file).get('secret', 'password')).toBe('open sesame')
    expect(store.warning).toContain('This desktop has no keyring.')
    expect(store.warning).toContain(file)
    expect(new SecretStore(file).warning).toContain('no system keychain')
  })

  it('that were sealed say so to whoever has no keychain', async () => {
    await new SecretStore(file, keychain()).set('secret', 'password', 'open sesame')
    await expect(new SecretStore(file).get('secret', 'password')).rejects.toMatchObject({ code: 'unsupported' })
  })
})
