import type { Branch } from '../../contract/branching.ts'
import type { Choice, Line, Run, TreeStep, Way } from './branch-tree.ts'
import { html, type Markup } from './html.ts'
import type { Pictures } from './pictures.ts'
import { checkList, ms } from './step-card.ts'

const endings: Record<Branch['state'], string> = {
  waiting: 'never began',
  running: 'never ended',
  passed: 'got there, not chosen',
  failed: 'did not get there',
  timed_out: 'out of time',
  refused: 'no room for it',
  interrupted: 'interrupted',
}
/** A longer run is named by its ends. */
const mostLinks = 24

/** Where the trace branched: every choice with its ways, who won and why, and where the others ended. */
export async function treeSection(line: Line, pictures: Pictures): Promise<Markup> {
  return html`
<section class="tree" aria-labelledby="tree"><h2 id="tree">Branch tree</h2>
<p class="hint">Every way it tried. The ones that lost are part of the trace, but not of the machine it ended with.</p>
${await lineList(line, pictures)}</section>`
}

async function lineList(line: Line, pictures: Pictures): Promise<Markup> {
  const parts = await Promise.all(
    line.map((part) => (part.kind === 'run' ? runItem(part) : choiceItem(part, pictures))),
  )
  return html`<ul class="line">${parts}</ul>`
}

function runItem({ steps, undoneBy }: Run): Markup {
  const first = steps[0]
  const last = steps.at(-1)
  if (!first || !last) return html``
  const shown = steps.length > mostLinks ? [first, last] : steps
  const to = undoneBy?.wentBackTo
  const why =
    undoneBy &&
    html`<p class="undone"><span class="badge">undone</span> Then the machine went back${
      to && html` to “${to}”`
    }, and <a href="#step-${undoneBy.index + 1}">step ${undoneBy.index + 1}</a> went on from there.</p>`
  return html`<li class="run${undoneBy ? ' pruned' : ''}"><span class="count">${
    steps.length === 1 ? 'Step' : `${steps.length} steps:`
  }</span> ${shown.map(stepLink)}${steps.length > mostLinks && html` <span>and all between</span>`}${why}</li>`
}

function stepLink({ index, verdict }: TreeStep): Markup {
  const failed = verdict === 'fail'
  return html` <a class="chip ${verdict}" href="#step-${index + 1}" aria-label="Step ${index + 1}${failed && ', failed'}">${index + 1}</a>`
}

async function choiceItem({ madeIn, ways }: Choice, pictures: Pictures): Promise<Markup> {
  const winner = ways.find(({ branch }) => branch.won)
  const from = madeIn && html` in <a href="#step-${madeIn.index + 1}">step ${madeIn.index + 1}</a>`
  return html`<li class="choice"><p><strong>${ways.length} ${ways.length === 1 ? 'way was' : 'ways were'} tried</strong>${from}. ${
    winner ? `${winner.name} won.` : 'None of them won; the machine stayed as it was.'
  }</p><ul class="ways">${await Promise.all(ways.map((way) => wayItem(way, pictures)))}</ul></li>`
}

async function wayItem({ number, name, branch, line }: Way, pictures: Pictures): Promise<Markup> {
  const { won, state, verdict, reasons, changes, unwanted, cost, endSnapshot } = branch
  const asked = new Set(unwanted)
  const facts = [
    `${cost.steps} ${cost.steps === 1 ? 'step' : 'steps'}${cost.failures > 0 ? `, ${cost.failures} failed` : ''}`,
    ms(cost.ms),
    cost.usage.usd ? `$${cost.usage.usd.toFixed(4)}` : null,
    branch.planner,
    won ? 'its machine went on' : endSnapshot ? `its machine is kept as ${endSnapshot}` : 'its machine was dropped',
  ]
  return html`<li class="way ${won ? 'won' : 'pruned'}" id="way-${number}" tabindex="-1" aria-labelledby="way-title-${number}">
<div>
<h3 id="way-title-${number}">${name}: ${branch.plan}</h3>
<p class="meta"><span class="badge ${won ? 'pass' : state === 'failed' ? 'fail' : ''}">${won ? 'won' : endings[state]}</span> ${facts.filter((fact) => fact !== null).join(' · ')}</p>
${verdict && verdict !== branch.plan && html`<p>${verdict}</p>`}
${reasons.length > 0 && html`<ul class="reasons" aria-label="What the judge said of ${name}">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
${changes.length > 0 && html`<details><summary>What it changed (${changes.length})</summary><ul>${changes.map((change) => html`<li>${change}${asked.has(change) && html` <span class="badge fail">nobody asked for this</span>`}</li>`)}</ul></details>`}
${checkList(branch.checks, `Checks of ${name}`)}
</div>
${await lastScreen(branch, name, pictures)}
${line.length > 0 && (await lineList(line, pictures))}</li>`
}

async function lastScreen({ frame }: Branch, name: string, pictures: Pictures): Promise<Markup | false> {
  if (!frame) return false
  const alt = `Last screen of ${name}`
  if (pictures.isInSteps(frame))
    return html`<img data-frame="${pictures.idOf(frame)}" alt="${alt}" width="192" height="120">`
  const shown = await pictures.show(frame)
  if (!shown) return false
  return shown.data
    ? html`<img id="${shown.id}" src="${shown.data}" alt="${alt}" width="192" height="120" loading="lazy">`
    : html`<img data-frame="${shown.id}" alt="${alt}" width="192" height="120">`
}
