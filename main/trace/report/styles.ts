/** Colours meet WCAG AA against their backgrounds in both themes. */
export const styles = `
:root{color-scheme:light dark;--paper:#fff;--card:#f6f7f9;--line:#d5d9e0;--ink:#15181d;--soft:#4d5666;--link:#0b57c2;
--pass:#0e6b38;--passbg:#e0f4e8;--fail:#a31919;--failbg:#fde7e7;--none:#4d5666;--nonebg:#e9ebef;--ring:#ff8a00}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--paper:#101216;--card:#191c22;--line:#343a45;--ink:#eceff4;
--soft:#a9b2c0;--link:#8ab8ff;--pass:#7fdca4;--passbg:#12321f;--fail:#ff9d9d;--failbg:#411818;--none:#a9b2c0;--nonebg:#262b34}}
:root[data-theme=dark]{color-scheme:dark;--paper:#101216;--card:#191c22;--line:#343a45;--ink:#eceff4;--soft:#a9b2c0;
--link:#8ab8ff;--pass:#7fdca4;--passbg:#12321f;--fail:#ff9d9d;--failbg:#411818;--none:#a9b2c0;--nonebg:#262b34}
:root[data-theme=light]{color-scheme:light}
*,::before,::after{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--paper);padding:8px;z-index:9}
.wide{max-width:1400px;margin:0 auto;padding:0 20px}
header.wide{padding-top:28px}
h1{font-size:1.6rem;line-height:1.25;margin:.2em 0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:1.6em 0 .5em}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
.badge{display:inline-block;padding:1px 9px;border-radius:99px;font-size:.8rem;font-weight:600;white-space:nowrap;
background:var(--nonebg);color:var(--none)}
.badge.pass{background:var(--passbg);color:var(--pass)}.badge.fail{background:var(--failbg);color:var(--fail)}
dl.facts{display:flex;flex-wrap:wrap;gap:4px 26px;margin:10px 0;padding:0}
dl.facts div{display:flex;gap:6px}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.tools{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin:10px 0}
button{font:inherit;font-size:.9rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:7px;
padding:4px 11px;cursor:pointer}
button[aria-pressed=true]{background:var(--link);border-color:var(--link);color:var(--paper)}
.strip{position:sticky;top:0;z-index:5;background:var(--paper);border-bottom:1px solid var(--line)}
.strip ol{display:flex;gap:6px;overflow-x:auto;list-style:none;margin:0;padding:8px 20px}
.strip a{display:block;width:112px;height:100%;border:2px solid var(--line);border-radius:7px;overflow:hidden;text-decoration:none;
color:var(--ink);background:var(--card);font-size:.75rem;text-align:center}
.strip a[aria-current=true]{border-color:var(--ring)}
.strip img{display:block;width:108px;height:66px;object-fit:cover}
.strip .fail{color:var(--fail);font-weight:700}.strip .pass{color:var(--pass)}
.step{content-visibility:auto;contain-intrinsic-size:auto 640px;display:grid;grid-template-columns:minmax(280px,2fr) 3fr;
gap:22px;padding:20px;margin:18px 0;border:1px solid var(--line);border-radius:12px;background:var(--card);scroll-margin-top:140px}
.step[hidden]{display:none}
@media(max-width:900px){.step{grid-template-columns:1fr}}
.meta{color:var(--soft);font-size:.85rem;margin:.2em 0 .8em}
.step ol,.checks{margin:.4em 0;padding-left:1.4em}
.checks{list-style:none;padding-left:0}
.checks li,.step li{margin:.3em 0;overflow-wrap:anywhere}
.error{color:var(--fail)}
pre{margin:.4em 0;padding:9px;max-height:22em;overflow:auto;background:var(--paper);border:1px solid var(--line);
border-radius:7px;font:.82rem/1.45 ui-monospace,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
summary{cursor:pointer;color:var(--link)}
figure{margin:0}figcaption{font-size:.82rem;color:var(--soft);margin-top:4px}
.screen{position:relative;background:#000;border:1px solid var(--line);border-radius:7px;overflow:hidden;isolation:isolate}
.screen img{display:block;width:100%;height:auto}
.screen img.before{position:absolute;inset:0;display:none}
.screen svg{position:absolute;inset:0;width:100%;height:100%;display:none;pointer-events:none}
.screen rect{fill:none;stroke:#ff8a00;stroke-width:3;vector-effect:non-scaling-stroke}.screen circle{fill:#ff8a0033;stroke:#ff8a00;stroke-width:4;vector-effect:non-scaling-stroke}
.screen[data-view=before] .before{display:block}.screen[data-view=before] svg.hand{display:block}
.screen[data-view=changes] svg.boxes{display:block}
.screen[data-view=difference] .before{display:block;mix-blend-mode:difference}
.lost{padding:60px 20px;text-align:center;background:var(--card);color:var(--soft)}
.hint,.said{color:var(--soft);font-size:.9rem}.said{margin:.4em 0;overflow-wrap:anywhere}
.strip .pruned a{border-style:dashed}.strip .place{color:var(--soft);display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.step.pruned{border-style:dashed}
section:focus{outline:none}
.tree ul{list-style:none;margin:0;padding:0}
.tree .line>li{position:relative;padding:0 0 14px 26px}
.tree .line>li::before{content:"";position:absolute;left:5px;top:8px;width:11px;height:11px;border-radius:99px;background:var(--link)}
.tree .line>li::after{content:"";position:absolute;left:9.5px;top:22px;bottom:-5px;width:2px;background:var(--line)}
.tree .line>li:last-child::after{display:none}
.tree .line>li.choice::before{background:var(--paper);border:3px solid var(--link)}
.tree .line>li.pruned::before{background:var(--paper);border:2px dashed var(--soft)}
.tree p{margin:.2em 0 .5em}
.tree .undone{margin-top:.4em}
.chip{display:inline-block;min-width:28px;padding:0 7px;border:1px solid var(--line);border-radius:6px;background:var(--card);
text-align:center;font-size:.85rem;line-height:26px;margin:1px 0;text-decoration:none}
.chip.pass{color:var(--pass)}.chip.fail{color:var(--fail);font-weight:700}.chip.unchecked{color:var(--none)}
.chip:hover{border-color:currentColor}
.ways{display:grid;gap:10px}
.way{display:grid;grid-template-columns:1fr auto;gap:6px 18px;padding:14px 16px;border:1px solid var(--line);
border-radius:10px;background:var(--card);scroll-margin-top:140px;min-width:0}
.way>div{min-width:0;overflow-wrap:anywhere}
.way.won{border-color:var(--pass);border-left-width:5px}
.way.pruned{border-style:dashed}
.way>img{border:1px solid var(--line);border-radius:7px;object-fit:cover;background:var(--nonebg)}
img:not([src]){color:transparent}
.way>.line{grid-column:1/-1;margin-top:6px}
.way .line>li:last-child{padding-bottom:2px}
.tree .reasons,.tree details ul{list-style:disc;padding-left:1.3em;color:var(--soft);font-size:.92rem}
@media(max-width:700px){.way{grid-template-columns:minmax(0,1fr)}.way>img{width:100%;height:auto}}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--paper);color:var(--ink);max-width:32rem}
kbd{border:1px solid var(--line);border-radius:5px;padding:0 6px;background:var(--card);font:.85rem ui-monospace,monospace}
footer{color:var(--soft);font-size:.85rem;padding-bottom:40px!important}
@media print{.strip,.tools{display:none}.step{break-inside:avoid;content-visibility:visible}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`
