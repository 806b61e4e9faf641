import type { SafeStorage } from 'electron'
import type { EngineOptions } from '../../orchestrator/engine.ts'
import { words } from './words.ts'

type Storage = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
>

/**
 * The system's keychain, for secrets and API keys. Without a keyring Linux falls back to `basic_text`, which "encrypts"
 * with a password written in Chromium's sources: that is no lock, so it is not used and the person is told.
 */
export function systemSealer(storage: Storage, platform: NodeJS.Platform): NonNullable<EngineOptions['sealer']> {
  const isLock = () =>
    storage.isEncryptionAvailable() && (platform !== 'linux' || storage.getSelectedStorageBackend() !== 'basic_text')
  return {
    isEncryptionAvailable: isLock,
    encryptString: (text) => storage.encryptString(text),
    decryptString: (sealed) => storage.decryptString(sealed),
    ...(isLock() || platform !== 'linux' ? {} : { weakness: words.noKeyring }),
  }
}
