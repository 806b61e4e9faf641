import { GodHandError } from '../main/contract/errors.ts'

/** A step of the image build that went wrong, with the last lines its tool said. */
export function buildFailed(message: string, output: string[] = [], cause?: unknown): GodHandError {
  const full = output.some((line) => /No space left on device/i.test(line))
  return new GodHandError(full ? 'disk_full' : 'image_build_failed', message, {
    hint: full
      ? 'Free some disk space (a build needs about 3 GB), or set GODHAND_HOME to a folder on a larger disk.'
      : 'Run it again; packages already downloaded are kept. The details hold the last lines of the tool’s output.',
    cause,
    details: { output: output.join('\n') },
  })
}
