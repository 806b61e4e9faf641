/**
 * What the page does by itself; everything it says can be read without it. Plain JavaScript in a string, because it is
 * part of the page and allowed there by its hash alone.
 */
export const viewer = `
'use strict';
const steps = [...document.querySelectorAll('.step')];
const links = [...document.querySelectorAll('.strip a')];
const news = document.getElementById('news');
let current = -1;

const borrow = (image) => {
  const owner = document.getElementById(image.dataset.frame);
  if (owner && !image.src) image.src = owner.src;
};
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { borrow(entry.target); seen.unobserve(entry.target); }
}, { rootMargin: '400px' });
for (const image of document.querySelectorAll('.strip img[data-frame], .tree img[data-frame], img.after[data-frame]')) seen.observe(image);

const show = (step, view) => {
  const screen = step.querySelector('.screen');
  if (!screen) return;
  const before = screen.querySelector('.before');
  if (before) borrow(before);
  screen.dataset.view = view;
  for (const button of step.querySelectorAll('button[data-view]'))
    button.setAttribute('aria-pressed', String(button.dataset.view === view));
};
const mark = (index) => {
  if (index === current) return;
  if (links[current]) links[current].removeAttribute('aria-current');
  current = index;
  const link = links[index];
  if (!link) return;
  link.setAttribute('aria-current', 'true');
  const strip = link.closest('ol');
  const left = link.parentElement.offsetLeft - strip.clientWidth / 2 + link.clientWidth / 2;
  strip.scrollTo({ left });
};
const go = (index) => {
  const step = steps[index];
  if (!step || step.hidden) return;
  mark(index);
  step.focus({ preventScroll: true });
  step.scrollIntoView({ block: 'start', behavior: 'instant' });
  news.textContent = 'Step ' + (index + 1) + ' of ' + steps.length;
};
const ways = [...document.querySelectorAll('.way')];
const reveal = (target) => {
  if (steps.includes(target)) {
    if (target.hidden) filter(document.getElementById('failed'));
    return go(steps.indexOf(target));
  }
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'start', behavior: 'instant' });
};
const turn = (by) => {
  const at = ways.indexOf(document.activeElement && document.activeElement.closest('.way'));
  const way = ways[at < 0 && by < 0 ? ways.length - 1 : at + by];
  if (way) { reveal(way); news.textContent = way.querySelector('h3').textContent; }
};
const seek = (from, by, wanted) => {
  for (let n = from + by; n >= 0 && n < steps.length; n += by) if (!steps[n].hidden && wanted(steps[n])) return go(n);
};

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  const link = event.target.closest('a');
  const target = link && document.getElementById(link.hash.slice(1));
  if (target) { event.preventDefault(); reveal(target); }
  if (!button) return;
  if (button.dataset.view) { mark(steps.indexOf(button.closest('.step'))); show(button.closest('.step'), button.dataset.view); }
  if (button.id === 'theme') theme();
  if (button.id === 'keys') help.showModal();
  if (button.id === 'close') help.close();
  if (button.id === 'failed') filter(button);
});

const root = document.documentElement;
const theme = () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
};
const help = document.getElementById('help');
const filter = (button) => {
  const only = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(only));
  let shown = 0;
  steps.forEach((step, n) => {
    step.hidden = only && step.dataset.verdict !== 'fail';
    links[n].parentElement.hidden = step.hidden;
    if (!step.hidden) shown++;
  });
  news.textContent = shown + ' steps shown';
};

const views = ['after', 'before', 'changes', 'difference'];
const cycle = () => {
  const screen = steps[current] && steps[current].querySelector('.screen');
  if (!screen) return;
  const offered = views.filter((view) => steps[current].querySelector('button[data-view=' + view + ']'));
  if (offered.length > 0) show(steps[current], offered[(offered.indexOf(screen.dataset.view) + 1) % offered.length]);
};
const keys = {
  ArrowRight: () => seek(current, 1, () => true), j: () => seek(current, 1, () => true),
  ArrowLeft: () => seek(current, -1, () => true), k: () => seek(current, -1, () => true),
  Home: () => seek(-1, 1, () => true), End: () => seek(steps.length, -1, () => true),
  f: () => seek(current, 1, (step) => step.dataset.verdict === 'fail'),
  w: () => turn(1), W: () => turn(-1),
  b: () => { const screen = steps[current] && steps[current].querySelector('.screen'); if (screen) show(steps[current], screen.dataset.view === 'before' ? 'after' : 'before'); },
  v: cycle, t: theme, '?': () => help.showModal(),
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
  const key = keys[event.key];
  if (!key) return;
  event.preventDefault();
  key();
});

const visible = new IntersectionObserver((entries) => {
  const top = entries.filter((entry) => entry.isIntersecting)[0];
  if (top && !steps.includes(document.activeElement)) mark(steps.indexOf(top.target));
}, { rootMargin: '-20% 0px -60%' });
for (const step of steps) visible.observe(step);
for (const needed of document.querySelectorAll('.needs-script')) needed.hidden = false;
`
