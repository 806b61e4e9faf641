import { type Act, describeAct } from '../../contract/action.ts'
import type { CheckedAssertion } from '../../contract/assertion.ts'
import type { Step } from '../../contract/task.ts'
import { pointOf } from '../export/film.ts'
import { html, type Markup } from './html.ts'
import type { Pictures, Shown } from './pictures.ts'
import type { Place } from './step-place.ts'

const verdictWords: Record<Step['verdict'], string> = { pass: 'verified', fail: 'failed', unchecked: 'not checked' }

export function verdictBadge(verdict: Step['verdict']): Markup {
  return html`<span class="badge ${verdict === 'unchecked' ? '' : verdict}">${verdictWords[verdict]}</span>`
}

/** One step: on the left what was thought, done and checked, on the right what the screen showed. */
export async function stepCard(step: Step, pictures: Pictures, place?: Place): Promise<Markup> {
  const number = step.index + 1
  const { planMs, actMs, settleMs, verifyMs, totalMs } = step.timing
  const timing = `thinking ${ms(planMs)}, acting ${ms(actMs)}, settling ${ms(settleMs)}, checking ${ms(verifyMs)}`
  return html`
<article class="step${place?.pruned ? ' pruned' : ''}" id="step-${number}" tabindex="-1" aria-labelledby="title-${number}" data-verdict="${step.verdict}">
<div>
<h3 id="title-${number}">${number}. ${step.thought || 'No words'}</h3>
<p class="meta">${verdictBadge(step.verdict)} ${step.by === 'person' && html`<span class="badge">by hand</span>`} ${place && placeWords(place)} ${ms(totalMs)} (${timing}) · <time datetime="${step.startedAt}">${clock(step.startedAt)}</time></p>
${step.actions.length > 0 && html`<ol aria-label="Actions of step ${number}">${await Promise.all(step.actions.map((action) => actionItem(action, pictures)))}</ol>`}
${checkList(step.checks, `Checks of step ${number}`)}
${step.dialogue && html`<p class="said">Asked: ${step.dialogue.question}<br>Answered: ${step.dialogue.answer ?? 'nobody did'}</p>`}
${(step.notices ?? []).map((notice) => html`<p class="said">Meanwhile: ${notice}</p>`)}
</div>
${await figure(step, pictures)}
</article>`
}

function placeWords({ name, way, undoneBy, pruned }: Place): Markup {
  return html`${way !== null && html`<a href="#way-${way}">${name}</a>`} ${pruned && html`<span class="badge">${undoneBy === null ? 'of a way that lost' : `undone by step ${undoneBy + 1}`}</span>`}`
}

async function actionItem({ act, result }: Step['actions'][number], pictures: Pictures): Promise<Markup> {
  const long = longText(act)
  const looked = result.frame ? await pictures.show(result.frame) : null
  return html`<li>${describeAct(act)}
${long !== null && html`<pre tabindex="0">${cut(long)}</pre>`}
${result.error && html`<div class="error">Failed: ${result.error.message}</div>`}
${result.text && html`<details><summary>Answer</summary><pre tabindex="0">${cut(result.text)}</pre></details>`}
${looked?.data && html`<div class="screen"><img id="${looked.id}" src="${looked.data}" alt="What was looked at closely" loading="lazy"></div>`}
</li>`
}

/** What describeAct shortens, in full. */
function longText(act: Act): string | null {
  const text = act.type === 'type' || act.type === 'write_file' ? act.text : act.type === 'exec' ? act.command : ''
  return text.length > 60 || text.includes('\n') || (act.type === 'write_file' && text) ? text : null
}

export function checkList(checks: CheckedAssertion[], label: string): Markup | false {
  if (checks.length === 0) return false
  return html`<ul class="checks" aria-label="${label}">${checks.map(
    ({
      assertion,
      verdict,
    }) => html`<li><span class="badge ${verdict.pass ? 'pass' : 'fail'}">${verdict.pass ? 'pass' : 'fail'}</span> ${verdict.summary}
<details><summary>Evidence for ${assertion.check}</summary><pre tabindex="0">${cut(JSON.stringify({ expected: assertion, found: verdict.evidence, tookMs: verdict.tookMs, samples: verdict.samples }, null, 2))}</pre></details></li>`,
  )}</ul>`
}

async function figure(step: Step, pictures: Pictures): Promise<Markup | false> {
  const main = step.after ?? step.before
  if (!main) return false
  const number = step.index + 1
  const after = await pictures.show(main)
  if (!after) return html`<figure><div class="screen lost">The picture of this step was lost.</div></figure>`
  const before = step.before && step.before !== main ? await pictures.show(step.before) : null
  const boxes = step.settle?.boxes ?? []
  const views = [before && 'before', before && boxes.length > 0 && 'changes', before && 'difference'].filter(
    (view) => view !== null && view !== false,
  )
  return html`<figure>
<div class="screen" data-view="after">
${image(after, `Screen after step ${number}`, 'after')}
${before && image(before, `Screen before step ${number}`, 'before')}
${
  before &&
  overlay(
    'hand',
    before,
    step.actions
      .map(({ act }) => pointOf(act))
      .filter((point) => point !== null)
      .map(
        ({ x, y }) => html`<circle cx="${x}" cy="${y}" r="${Math.max(6, Math.round((before?.width ?? 1280) / 70))}"/>`,
      ),
  )
}
${overlay(
  'boxes',
  after,
  boxes.map(({ x, y, width, height }) => html`<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`),
)}
</div>
${
  views.length > 0 &&
  html`<div class="tools needs-script" role="group" aria-label="View of step ${number}" hidden>
${['after', ...views].map((view) => html`<button type="button" data-view="${view}" aria-pressed="${String(view === 'after')}">${view === 'after' ? 'After' : view === 'before' ? 'Before' : view === 'changes' ? 'Changed areas' : 'Difference'}</button>`)}</div>`
}
<figcaption>${after.width}×${after.height} pixels</figcaption>
</figure>`
}

function image(shown: Shown, alt: string, kind: 'before' | 'after'): Markup {
  const size = html`width="${shown.width}" height="${shown.height}"`
  return shown.data
    ? html`<img class="${kind}" id="${shown.id}" src="${shown.data}" alt="${alt}" ${size} loading="lazy" decoding="async">`
    : html`<img class="${kind} borrowed" data-frame="${shown.id}" alt="${alt}" ${size} decoding="async">`
}

function overlay(name: string, { width, height }: Shown, shapes: Markup[]): Markup | false {
  return (
    shapes.length > 0 && html`<svg class="${name}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${shapes}</svg>`
  )
}

/** A report is for reading; the bundle has all of it. */
function cut(text: string): string {
  return text.length > 20_000
    ? `${text.slice(0, 20_000)}\n… (${text.length - 20_000} more characters in the bundle)`
    : text
}

export function ms(value: number): string {
  return value >= 10_000
    ? `${(value / 1000).toFixed(1)} s`
    : value >= 1000
      ? `${(value / 1000).toFixed(2)} s`
      : `${Math.round(value)} ms`
}

export function clock(time: string): string {
  return time.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}
