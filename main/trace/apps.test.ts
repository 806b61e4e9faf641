import { expect, test } from 'vitest'
import { appsIn } from './apps.ts'
import { sampleStep } from './testing/samples.ts'

const ran = (command: string, ok = true) =>
  appsIn({ actions: [{ act: { type: 'exec', command, timeoutSeconds: 1 }, result: { ok } }], checks: [] })

test.each([
  ['DISPLAY=:0 setsid l3afpad >/dev/null 2>&1 & sleep 1; true', ['l3afpad']],
  ['sudo /usr/sbin/useradd -m ada && firefox-esr "http://a; b"', ['useradd', 'firefox-esr']],
  ['echo "rm -rf /; xterm"', []],
  ['cd /tmp\nfor f in *.txt; do wc -l "$f"; done', ['wc']],
])('%s runs %j', (command, apps) => {
  expect(ran(command)).toEqual(apps)
})

test('what failed to start, and what a check did not find, did not run', () => {
  expect(ran('l3afpad', false)).toEqual([])
  const check = (pass: boolean) => ({
    assertion: { check: 'process_running' as const, name: 'mousepad', running: true },
    verdict: { pass, summary: '', tookMs: 1, samples: 1, evidence: {} },
  })
  const step = sampleStep('task_1', 0, { actions: [] })
  expect(appsIn({ ...step, checks: [check(true)] })).toEqual(['mousepad'])
  expect(appsIn({ ...step, checks: [check(false)] })).toEqual([])
})
