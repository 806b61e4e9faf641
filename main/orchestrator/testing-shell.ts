import type { FakeExec } from '../sandbox/fake/machine.ts'

/** A shell for painted machines that knows a few words. `luck` decides what `flaky` does. */
export function tinyShell(luck: () => number = () => 1): FakeExec {
  return (argv, { files }) => {
    const [word, file = '', ...rest] = (argv[0] === 'sh' ? (argv[2] ?? '') : argv.join(' ')).split(' ')
    const answer = (exitCode: number, stdout = '') => ({ exitCode, stdout, stderr: '', truncated: false })
    if (word === 'put') files[file] = rest.join(' ')
    else if (word === 'rm') delete files[rest[0] ?? file]
    else if (word === 'has') return answer(files[file] === rest.join(' ') ? 0 : 1, files[file])
    else if (word === 'flaky') files[file] = luck() < 0.4 || files[file] === 'broken' ? 'broken' : 'right'
    else return answer(127)
    return answer(0)
  }
}
