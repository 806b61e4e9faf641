import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pathsIn } from '../../paths.ts'
import { temporaryFolder } from '../../trace/testing/samples.ts'
import { withBundledAssets } from './bundled-assets.ts'

const put = (...parts: string[]) => {
  mkdirSync(path.join(...parts), { recursive: true })
  writeFileSync(path.join(...parts, 'manifest.json'), parts.at(-1) ?? '')
}

it('an installed app uses the QEMU and the images it brought, beside the person’s own', () => {
  const folder = temporaryFolder()
  const paths = pathsIn(path.join(folder, 'home'))
  const mounted = path.join(folder, 'mount-1')
  put(mounted, 'assets', 'qemu')
  put(mounted, 'assets', 'images', 'desktop-1')
  put(paths.images, 'mine-1')
  expect(withBundledAssets(paths, mounted).qemu).toBe(path.join(mounted, 'assets', 'qemu'))
  expect(readdirSync(paths.images).sort()).toEqual(['desktop-1', 'mine-1'])

  // The next start: mounted elsewhere, by a version with another image.
  const elsewhere = path.join(folder, 'mount-2')
  renameSync(mounted, elsewhere)
  renameSync(
    path.join(elsewhere, 'assets', 'images', 'desktop-1'),
    path.join(elsewhere, 'assets', 'images', 'desktop-2'),
  )
  withBundledAssets(paths, elsewhere)
  expect(readdirSync(paths.images).sort()).toEqual(['desktop-2', 'mine-1'])
  expect(readFileSync(path.join(paths.images, 'desktop-2', 'manifest.json'), 'utf8')).toBe('desktop-1')
})

it('without anything brought along the paths stay as they are', () => {
  const paths = pathsIn(temporaryFolder())
  expect(withBundledAssets(paths, path.join(paths.home, 'nowhere'))).toEqual(paths)
})
