// A small line chart in SVG, with the same numbers as a table for screen readers.
import { brief } from "./knobs.js";
import { html } from "./vendor/preact.js";

const W = 480;
const H = 200;
const PAD = { left: 52, right: 14, top: 14, bottom: 30 };

/** About `count` round numbers from 0 up to at least `top`. */
function ticks(top, count = 4) {
  const rough = top / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const found = [];
  for (let at = 0; at < top + step * 0.999; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

/** points: [[level, value], ...]; `mark` is a level that a vertical line highlights. */
export function Chart({ title, unit = "", points, mark, test }) {
  const marks = ticks(Math.max(...points.map(([, value]) => value), 0));
  const top = marks.at(-1);
  const x = (level) => PAD.left + level * (W - PAD.left - PAD.right);
  const y = (value) => H - PAD.bottom - (value / top) * (H - PAD.top - PAD.bottom);
  const line = points.map(([level, value], at) => `${at ? "L" : "M"}${x(level).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return html`<figure class="chart" data-test=${test}>
    <figcaption>${title}${unit && html` <span class="soft">${unit}</span>`}</figcaption>
    <svg viewBox=${`0 0 ${W} ${H}`} aria-hidden="true">
      ${marks.map((value) => html`<g key=${value}><line class="grid" x1=${PAD.left} x2=${W - PAD.right} y1=${y(value)} y2=${y(value)} />
        <text x=${PAD.left - 8} y=${y(value) + 4} text-anchor="end">${brief(value)}</text></g>`)}
      ${[0, 0.25, 0.5, 0.75, 1].map((level) => html`<text key=${level} x=${x(level)} y=${H - 10} text-anchor="middle">${level}</text>`)}
      ${mark !== undefined && html`<line class="now" x1=${x(mark)} x2=${x(mark)} y1=${PAD.top} y2=${H - PAD.bottom} />`}
      <path class="area" d=${`${line}L${x(points.at(-1)[0])} ${y(0)}L${x(points[0][0])} ${y(0)}Z`} />
      <path class="line" d=${line} />
      ${points.map(([level, value]) => html`<circle key=${level} cx=${x(level)} cy=${y(value)}
        r="4"><title>level ${level}: ${brief(value)} ${unit}</title></circle>`)}
    </svg>
    <table class="visually-hidden"><caption>${title} ${unit}</caption>
      <thead><tr><th scope="col">level</th><th scope="col">value</th></tr></thead>
      <tbody>${points.map(([level, value]) => html`<tr key=${level}><td>${level}</td><td>${brief(value)}</td></tr>`)}</tbody></table>
  </figure>`;
}
