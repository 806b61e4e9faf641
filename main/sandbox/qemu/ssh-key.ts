import fs from 'node:fs/promises'
import path from 'node:path'
import ssh2 from 'ssh2'

export type SshKey = { privateKey: string; publicKey: string; publicKeyFile: string }

/** The key pair of this install, made at first need. It opens our own guests and nothing else. */
export async function ensureSshKey(folder: string): Promise<SshKey> {
  const privateFile = path.join(folder, 'id_ed25519')
  const publicKeyFile = `${privateFile}.pub`
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  // The public half is written first and the private half moved into place last: with it there, the pair is whole.
  const existing = await fs.readFile(privateFile, 'utf8').catch(() => null)
  if (existing) return { privateKey: existing, publicKey: await fs.readFile(publicKeyFile, 'utf8'), publicKeyFile }
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'godhand' })
  await fs.writeFile(publicKeyFile, `${pair.public}\n`, { mode: 0o600 })
  await fs.writeFile(`${privateFile}.new`, pair.private, { mode: 0o600 })
  await fs.rename(`${privateFile}.new`, privateFile)
  return { privateKey: pair.private, publicKey: `${pair.public}\n`, publicKeyFile }
}
