import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Act } from '../contract/action.ts'
import { type Sealer, SecretStore } from './secret-store.ts'
import { Secrets } from './secrets.ts'

const nasty = `p'a"s$HOME\`id\` \\n!&;<>|`
const secrets = new Secrets([
  ['password', 'hunter2-correct'],
  ['nasty', nasty],
  ['key', '-----BEGIN-----\nabcdefghijklmnop\n-----END-----'],
  ['long', 'hunter2-correct-horse'],
])

describe('on the way to the machine', () => {
  test('names become values in what is typed, run and written, and the act itself keeps the name', () => {
    const act = Act.parse({ type: 'type', text: 'user\t{{password}}\n{{ password }}' })
    expect(secrets.resolve(act)).toEqual({ type: 'type', text: 'user\thunter2-correct\nhunter2-correct' })
    expect(act).toMatchObject({ text: 'user\t{{password}}\n{{ password }}' })
    const file = Act.parse({ type: 'write_file', path: '/{{password}}', text: '{{password}}' })
    expect(secrets.resolve(file)).toMatchObject({ path: '/{{password}}', text: 'hunter2-correct' })
  })

  test('what is no secret stays as it is', () => {
    const act = Act.parse({ type: 'type', text: '{{ user.name }} {{}} {{unknown}}' })
    expect(secrets.resolve(act)).toEqual(act)
    expect(secrets.resolve(Act.parse({ type: 'key', chord: 'Return' }))).toEqual({
      type: 'key',
      chord: 'Return',
      repeat: 1,
    })
  })

  test('assertions are checked with the value', () => {
    const assertion = {
      check: 'not',
      of: { check: 'file_content', path: '/a', text: 'x {{password}}', match: 'contains' },
    } as const
    expect(secrets.resolveAssertion(assertion)).toMatchObject({ of: { text: 'x hunter2-correct' } })
  })

  test.each([
    ['bare', 'printf %s {{nasty}}'],
    ['in double quotes', 'printf %s "{{nasty}}"'],
    ['in single quotes', "printf %s '{{nasty}}'"],
    ['after an escaped quote', 'true \\" ; printf %s {{nasty}}'],
    ['after quotes that were closed', `true 'a"b' "c'd"; printf %s {{nasty}}`],
    ['in a here-document', 'cat <<END | head -c -1\n{{nasty}}\nEND'],
    ['in a literal here-document', "cat <<'END' | head -c -1\n{{nasty}}\nEND"],
    ['after a here-document', 'cat >/dev/null <<END\nit\'s "open\nEND\nprintf %s {{nasty}}'],
  ])('a real shell reads exactly the value: %s', (_where, command) => {
    const act = secrets.resolve(Act.parse({ type: 'exec', command }))
    const run = act.type === 'exec' ? act.command : ''
    expect(execFileSync('bash', ['-c', run], { encoding: 'utf8' })).toBe(nasty)
  })
})

describe('on the way back', () => {
  test.each([
    ['as it is', 'got hunter2-correct here', 'got {{password}} here'],
    ['in an address', `https://x/?q=${encodeURIComponent(nasty)}`, 'https://x/?q={{nasty}}'],
    ['in JSON', JSON.stringify({ a: nasty }), '{"a":"{{nasty}}"}'],
    ['in base64', `Basic ${Buffer.from(nasty).toString('base64')}`, /^Basic \{\{nasty\}\}=*$/],
    ['a line of a longer one', 'abcdefghijklmnop', '{{key}}'],
    ['one that contains another', 'hunter2-correct-horse', '{{long}}'],
    ['nothing of it', 'hunter', 'hunter'],
  ])('values become names: %s', (_how, text, expected) => {
    const redacted = secrets.redact(text)
    if (typeof expected === 'string') expect(redacted).toBe(expected)
    else expect(redacted).toMatch(expected)
  })

  test('results, errors and evidence, however deep', () => {
    const result = {
      ok: false,
      text: 'hunter2-correct',
      error: {
        code: 'timeout' as const,
        message: `“echo hunter2-correct” took too long`,
        details: { argv: ['hunter2-correct'], 'hunter2-correct': 1 },
      },
    }
    expect(JSON.stringify(secrets.redactResult(result))).not.toContain('hunter2')
    expect(secrets.redactDeep({ evidence: [{ seen: ['a hunter2-correct b'] }], n: 1, no: null })).toEqual({
      evidence: [{ seen: ['a {{password}} b'] }],
      n: 1,
      no: null,
    })
  })

  test('without secrets nothing changes', () => {
    const value = { a: 'x' }
    expect(new Secrets().redactDeep(value)).toBe(value)
  })
})

describe('the store', () => {
  let folder: string
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'godhand-secrets-'))
  })
  afterAll(() => fs.rm(folder, { recursive: true }))

  test('keeps values by name and kind, in a file only the owner can read, and says that it is not sealed', async () => {
    const file = path.join(folder, 'plain', 'secrets.json')
    const store = new SecretStore(file)
    await Promise.all([
      store.set('secret', 'password', 'hunter2'),
      store.set('secret', 'pin', '1234'),
      store.set('api_key', 'anthropic', 'sk-1234'),
    ])
    await store.set('secret', 'password', 'hunter3')
    const again = new SecretStore(file)
    expect((await again.list('secret')).sort()).toEqual(['password', 'pin'])
    expect(await again.get('secret', 'password')).toBe('hunter3')
    expect(await again.get('secret', 'anthropic')).toBeNull()
    expect(await again.get('api_key', 'anthropic')).toBe('sk-1234')
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
    expect(again.warning).toContain('not encrypted')
    await again.remove('secret', 'pin')
    expect(await again.all('secret')).toEqual([['password', 'hunter3']])
  })

  test('seals values where the system can, and the file holds none of them', async () => {
    const sealer: Sealer = {
      isEncryptionAvailable: () => true,
      encryptString: (text) => Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a)),
      decryptString: (sealed) => Buffer.from([...sealed].map((byte) => byte ^ 0x5a)).toString(),
    }
    const file = path.join(folder, 'sealed.json')
    const store = new SecretStore(file, sealer)
    await store.set('secret', 'password', 'hunter2')
    expect(store.warning).toBeNull()
    expect(await store.get('secret', 'password')).toBe('hunter2')
    expect(await fs.readFile(file, 'utf8')).not.toContain('hunter2')
    await expect(new SecretStore(file).get('secret', 'password')).rejects.toMatchObject({ code: 'unsupported' })
  })

  test('refuses names and values that could not be kept safe, and a broken file', async () => {
    const store = new SecretStore(path.join(folder, 'strict.json'))
    await expect(store.set('secret', 'a b', 'hunter2')).rejects.toMatchObject({ code: 'bad_request' })
    await expect(store.set('secret', 'a', 'abc')).rejects.toMatchObject({ code: 'bad_request' })
    const broken = path.join(folder, 'broken.json')
    await fs.writeFile(broken, '{')
    await expect(new SecretStore(broken).list('secret')).rejects.toMatchObject({ code: 'corrupt' })
  })
})
