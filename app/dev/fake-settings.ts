import type { DayBudget } from '../../main/contract/day-budget.ts'
import type { Calibration, FoundServer } from '../../main/contract/model.ts'
import { Settings } from '../../main/contract/settings.ts'
import { noUsage } from '../../main/contract/usage.ts'

/** What the make-believe engine answers where the settings ask. */

export const fakeSettings: { now: Settings } = { now: Settings.parse({ allow: ['*.wikipedia.org'] }) }

export const fakeServers: FoundServer[] = [
  { name: 'Ollama', url: 'http://127.0.0.1:11434', models: ['qwen3-vl:8b', 'ui-tars-1.5:7b'] },
]

export const fakeCalibrations: Calibration[] = [
  {
    model: 'qwen3-vl:8b',
    server: 'http://127.0.0.1:11434',
    format: 'qwen3',
    screen: { width: 1280, height: 800 },
    space: 'thousand',
    mapping: { x: { scale: 0.001, offset: 0 }, y: { scale: 0.001, offset: 0 } },
    medianPx: 4.2,
    worstPx: 11,
    asked: 9,
    answered: 9,
    thrownOut: 0,
    blind: false,
    verdict: 'It points well: 4 px off in the middle, 11 px at worst.',
    at: '2026-11-02T09:00:00.000Z',
  },
]

export const fakeDayBudget: DayBudget = {
  limits: { maxUsd: 5 },
  spent: {
    day: '2026-11-02',
    steps: 42,
    elapsedMs: 780_000,
    usage: { ...noUsage, inputTokens: 81_000, outputTokens: 6200, usd: 1.37 },
  },
}
