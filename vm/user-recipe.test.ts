import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guestFiles, imageKey, mergeFiles } from './image-key.ts'
import { debian } from './recipes/debian.ts'
import { readUserRecipe } from './user-recipe.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recipe-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(name: string, content: string): Promise<void> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
}

const keyOf = async () => {
  const { recipe, files, setup } = await readUserRecipe(folder)
  return imageKey(recipe, files, [], setup)
}

describe('a person’s recipe', () => {
  it('adds packages, files and a script to one of ours', async () => {
    await write('recipe.json', '{"name": "office", "base": "minimal", "packages": ["gnumeric", "curl"]}')
    await write('files/home/user/plan.txt', 'plan')
    await write('setup.sh', 'touch ~/was-here')
    const { name, recipe, files, setup } = await readUserRecipe(folder)
    expect(name).toBe('office')
    expect(recipe.packages).toEqual([...debian.minimal.packages, 'gnumeric'])
    expect(files).toMatchObject([{ path: 'home/user/plan.txt' }])
    expect(setup).toBe('touch ~/was-here')
  })

  it('is as good without files and script', async () => {
    await write('recipe.json', '{"name": "plain"}')
    expect(await readUserRecipe(folder)).toMatchObject({ recipe: debian.desktop, files: [], setup: null })
  })

  it('gives another image whenever a package, a file or the script changes, and the same when nothing does', async () => {
    await write('recipe.json', '{"name": "office"}')
    const keys = [await keyOf(), await keyOf()]
    expect(keys[0]).toBe(keys[1])
    await write('files/etc/motd', 'one')
    keys.push(await keyOf())
    await write('files/etc/motd', 'two')
    keys.push(await keyOf())
    await write('setup.sh', 'true')
    keys.push(await keyOf())
    await write('recipe.json', '{"name": "office", "packages": ["sl"]}')
    keys.push(await keyOf())
    expect(new Set(keys).size).toBe(5)
  })

  it.each([
    ['has no name', '{}'],
    ['takes the name of one of ours', '{"name": "desktop"}'],
    ['has a name that is a path', '{"name": "../up"}'],
    ['names an option instead of a package', '{"name": "a", "packages": ["--allow-untrusted"]}'],
    ['has a word nobody knows', '{"name": "a", "package": ["sl"]}'],
    ['is not JSON', '{name: a}'],
  ])('is refused when it %s', async (_, text) => {
    await write('recipe.json', text)
    await expect(readUserRecipe(folder)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('is missed with a hint how to write one', async () => {
    await expect(readUserRecipe(folder)).rejects.toMatchObject({ code: 'not_found', hint: expect.any(String) })
  })

  it('puts its files in the place of ours', async () => {
    await write('files/etc/hosts', 'mine')
    const ours = await guestFiles(path.join(import.meta.dirname, 'guest/rootfs'))
    const merged = mergeFiles(ours, await guestFiles(path.join(folder, 'files')))
    expect(merged).toHaveLength(ours.length)
    expect(merged.find((each) => each.path === 'etc/hosts')).toMatchObject({
      file: path.join(folder, 'files/etc/hosts'),
    })
  })
})
