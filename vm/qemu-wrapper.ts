/**
 * The script that starts a bundled program. The kernel wants an absolute path for a program's loader, which would tie
 * the bundle to one place, so the script names the loader itself. It ends in `exec`: the process id that the caller gets
 * is QEMU's own. The system's library cache and preloads are kept out, for they belong to another libc.
 */
export function wrapperScript(program: string): string {
  const isSystem = program.startsWith('qemu-system-')
  return `#!/bin/sh
unset CDPATH LD_PRELOAD LD_LIBRARY_PATH
self=$0
[ -L "$self" ] && self=$(readlink -f "$self")
here=$(cd -- "\${self%/*}/.." && pwd -P) || exit 127
export QEMU_MODULE_DIR="$here/lib/qemu"
exec "$here/loader/${program}" --inhibit-cache --library-path "$here/lib" --argv0 "$here/bin/${program}" \\
  "$here/libexec/${program}"${isSystem ? ' -L "$here/share/qemu"' : ''} "$@"
`
}
