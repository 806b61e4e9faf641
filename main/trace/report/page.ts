import { createHash } from 'node:crypto'
import packageJson from '../../../package.json' with { type: 'json' }
import type { OnProgress } from '../../contract/progress.ts'
import type { Step, Task } from '../../contract/task.ts'
import { totalTokens, type Usage } from '../../contract/usage.ts'
import type { TraceSource } from '../export/source.ts'
import { branchTree, isTree, type TreeStep, treeStep, waysIn } from './branch-tree.ts'
import { html, Markup } from './html.ts'
import { lineageSection } from './lineage-section.ts'
import { Pictures } from './pictures.ts'
import { checkList, clock, ms, stepCard } from './step-card.ts'
import { type Place, placesIn } from './step-place.ts'
import { styles } from './styles.ts'
import { treeSection } from './tree-section.ts'
import { viewer } from './viewer.ts'

type ReportOptions = { onProgress?: OnProgress | undefined; signal?: AbortSignal | undefined }
type Thumb = { index: number; verdict: Step['verdict']; hash: string | null }

/** One page that needs nothing but itself: no network, no server, and scripts only if their hash is ours. */
export async function* htmlReport(
  source: TraceSource,
  { onProgress, signal }: ReportOptions = {},
): AsyncGenerator<string> {
  const { task } = source
  const pictures = new Pictures(source)
  const thumbs: Thumb[] = []
  const counts = { pass: 0, fail: 0 }
  const steps: TreeStep[] = []
  for await (const step of source.steps()) {
    const { index, verdict, before, after, actions } = step
    steps.push(treeStep(step))
    thumbs.push({ index, verdict, hash: after ?? before })
    pictures.expectInSteps([before, after, ...actions.map(({ result }) => result.frame ?? null)])
    for (const check of step.checks) counts[check.verdict.pass ? 'pass' : 'fail']++
  }
  const line = branchTree(steps, source.lineage)
  const places = placesIn(line)
  yield head(task).text
  yield opening(source, counts, waysIn(line).length).text
  yield filmstrip(thumbs, pictures, places).text
  yield '<main class="wide">'
  if (isTree(line)) yield (await treeSection(line, pictures)).text
  yield '<section id="steps" tabindex="-1" aria-labelledby="steps-title"><h2 id="steps-title">Steps</h2>'
  for await (const step of source.steps()) {
    signal?.throwIfAborted()
    onProgress?.({ step: 'Writing the report', done: step.index, total: task.stepCount })
    yield (await stepCard(step, pictures, places.get(step.index))).text
  }
  yield `</section>${lineageSection(source.lineage)?.text ?? ''}</main>`
  yield closing(source).text
}

function head(task: Task): Markup {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = [
    `default-src 'none'`,
    'img-src data:',
    `style-src ${hashOf(styles)}`,
    `script-src ${hashOf(viewer)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="GodHand ${packageJson.version}">
<title>${task.goal.slice(0, 120)} · GodHand trace</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<a class="skip" href="#steps">Skip to the steps</a>`
}

function opening(
  { task, tags, redaction, cost }: TraceSource,
  counts: { pass: number; fail: number },
  ways: number,
): Markup {
  const good = task.state === 'succeeded'
  const said = task.verdict ?? task.error?.message
  const facts: [string, string | null][] = [
    ['Planner', task.planner],
    ['Image', task.image],
    ['Made', clock(task.createdAt)],
    ['Took', task.startedAt && task.endedAt ? ms(Date.parse(task.endedAt) - Date.parse(task.startedAt)) : null],
    ['Steps', String(task.stepCount)],
    ['Checks in steps', counts.pass + counts.fail > 0 ? `${counts.pass} passed, ${counts.fail} failed` : 'none'],
    ['Ways tried', ways > 0 ? String(ways) : null],
    ['Cost', cost && costWords(cost)],
    ['Tags', tags.join(', ') || null],
    ['Trace', task.id],
    ['Redacted', redaction && `${redaction.regions} regions, ${redaction.patterns} patterns`],
  ]
  return html`
<header class="wide">
<p><span class="badge ${good ? 'pass' : task.state === 'failed' ? 'fail' : ''}">${task.state}</span></p>
<h1>${task.goal}</h1>
${said && said !== task.goal && html`<p>${said}</p>`}
<dl class="facts">${facts.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${task.checks.length > 0 && html`<h2>How it was verified</h2>`}${checkList(task.checks, 'Final checks')}
<div class="tools needs-script" hidden>
<button type="button" id="failed" aria-pressed="false">Only failed steps</button>
<button type="button" id="theme">Light or dark</button>
<button type="button" id="keys">Keyboard</button>
<span id="news" role="status"></span>
</div>
<noscript><p>Scripts are off: before and difference views and the keyboard need them; everything else is below.</p></noscript>
</header>`
}

function costWords(cost: Usage): string {
  const tokens = `${totalTokens(cost).toLocaleString('en')} tokens`
  return cost.usd === null ? tokens : `$${cost.usd.toFixed(4)}, ${tokens}`
}

function filmstrip(thumbs: Thumb[], pictures: Pictures, places: Map<number, Place>): Markup {
  return html`
<nav class="strip" aria-label="Filmstrip"><ol tabindex="-1">${thumbs.map(
    ({
      index,
      verdict,
      hash,
    }) => html`<li${places.get(index)?.pruned && html` class="pruned"`}><a href="#step-${index + 1}">
${hash && html`<img data-frame="${pictures.idOf(hash)}" alt="" width="108" height="66">`}
<span class="${verdict}">Step ${index + 1}${verdict === 'fail' ? ' failed' : ''}</span>${places.get(index)?.name && html` <span class="place">${places.get(index)?.name}</span>`}</a></li>`,
  )}</ol></nav>`
}

function closing({ origin }: TraceSource): Markup {
  const keys: [string, string][] = [
    ['→ or j', 'next step'],
    ['← or k', 'step before'],
    ['Home, End', 'first, last step'],
    ['f', 'next failed step'],
    ['w, W', 'next way of the branch tree, the one before'],
    ['b', 'before or after'],
    ['v', 'next view: before, changed areas, difference'],
    ['t', 'light or dark'],
    ['?', 'this list'],
  ]
  return html`
<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keyboard</h2>
<dl>${keys.map(([key, meaning]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>
<button type="button" id="close">Close</button></dialog>
<footer class="wide"><p>Made by GodHand ${packageJson.version}. Pictures are reduced for reading; the .ghtrace bundle holds the originals and can be verified and replayed.${origin && html` Imported from the bundle ${origin.sha256}.`}</p></footer>
<script>${new Markup(viewer)}</script>
</body>
</html>
`
}
