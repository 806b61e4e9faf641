const { existsSync } = require('node:fs')
const path = require('node:path')

/** An installer without a hypervisor or an image would be a broken promise: say so before minutes are spent on it. */
module.exports = function beforePack() {
  const assets = process.env.GODHAND_ASSETS
  if (!assets) throw new Error('Set GODHAND_ASSETS to the folder with qemu/ and images/ that `npm start` has made.')
  for (const part of ['qemu', 'images'])
    if (!existsSync(path.join(assets, part)))
      throw new Error(`${path.join(assets, part)} is not there. Run \`npm start\` first.`)
  for (const part of ['dist/electron.js', 'dist/app/index.html'])
    if (!existsSync(path.join(__dirname, '..', part)))
      throw new Error(`${part} is not built. Run \`npm run build\` first.`)
}
