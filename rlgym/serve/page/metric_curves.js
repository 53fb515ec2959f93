// Curves over steps or levels, with a cursor that shows values, moved by pointer or arrow keys.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";

const HEIGHT = 240;
const EDGE = { left: 48, right: 12, top: 10, bottom: 34 };

/** An exponential moving average with bias correction; gaps (null) stay gaps. A `share` of 0 leaves the values unchanged. */
export function smoothed(values, share) {
  let kept = 0;
  let weight = 0;
  return values.map((value) => {
    if (typeof value !== "number") return null;
    kept = share * kept + (1 - share) * value;
    weight = share * weight + (1 - share);
    return kept / weight;
  });
}

/** Format a number compactly. */
export function short(value) {
  if (typeof value !== "number") return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(1);
  return String(Number(value.toPrecision(size >= 1000 ? 4 : 3)));
}

/** Round numbers from `low` to `high`, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const ten = 10 ** Math.floor(Math.log10(rough));
  const stride = [1, 2, 5, 10].map((times) => times * ten).find((size) => size >= rough * 0.999);
  const out = [];
  for (let k = Math.ceil(low / stride - 1e-9); k * stride <= high + stride * 1e-9; k += 1) out.push(Number((k * stride).toPrecision(12)));
  return out;
}

function span(numbers, given) {
  if (given) return given;
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  // Numbers that differ only by rounding are treated as equal.
  const flat = high - low <= 1e-6 * Math.max(Math.abs(low), Math.abs(high));
  const room = flat ? Math.abs(high) * 0.1 || 1 : (high - low) * 0.06;
  return [low - room, high + room];
}

function useWidth() {
  const box = useRef(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.round(entry.contentRect.width))));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}

/**
 * Curves of `series`: [{name, x: [], y: [], faint: y[] drawn behind, low: [], high: [], dots, color}]. Gaps in y are null.
 * label  the accessible name; `xLabel`, and `xs` if the ticks of x are given
 * range  [low, high] of y; by default that of the numbers
 */
export function Curves({ series, label, xLabel, range, xRange, xs, marks = [], test }) {
  const [box, width] = useWidth();
  const [at, setAt] = useState(null);
  const shown = series.filter((one) => one.y.some((value) => typeof value === "number"));
  const places = useMemo(() => [...new Set(shown.flatMap((one) => one.x))].sort((a, b) => a - b), [series]);
  if (!shown.length) return html`<p class="soft" ref=${box} data-test=${test}>No measurements yet.</p>`;
  const numbers = shown.flatMap((one) => [...one.y, ...(one.faint ?? []), ...(one.low ?? []), ...(one.high ?? [])]).filter(Number.isFinite);
  const [low, high] = span(numbers, range);
  const [first, last] = span(places, xRange ?? [places[0], places.at(-1) === places[0] ? places[0] + 1 : places.at(-1)]);
  const wide = width - EDGE.left - EDGE.right;
  const tall = HEIGHT - EDGE.top - EDGE.bottom;
  const x = (value) => EDGE.left + (wide * (value - first)) / (last - first);
  const y = (value) => EDGE.top + tall * (1 - (value - low) / (high - low));
  const here = at === null ? null : places[Math.min(at, places.length - 1)];
  const moved = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const value = first + ((event.clientX - box.left - EDGE.left) / wide) * (last - first);
    setAt(nearest(places, value));
  };
  const pressed = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(places.length - 1, (at ?? (way > 0 ? -1 : places.length)) + way)));
  };
  return html`<figure class="curves" ref=${box} data-test=${test}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${label} tabindex="0"
      onPointerMove=${moved} onPointerDown=${moved} onPointerLeave=${() => setAt(null)} onKeyDown=${pressed} onBlur=${() => setAt(null)}>
      ${ticks(low, high, 5).map((value) => html`<g class="tick" key=${`y${value}`}>
        <line x1=${EDGE.left} x2=${width - EDGE.right} y1=${y(value)} y2=${y(value)} /><text x=${EDGE.left - 6} y=${y(value) + 4} text-anchor="end">${short(value)}</text>
      </g>`)}
      ${(xs ?? ticks(first, last, Math.max(2, wide / 90))).map((value) => html`<text class="tick" key=${`x${value}`} x=${x(value)} y=${HEIGHT - 16} text-anchor="middle">${short(value)}</text>`)}
      ${marks.map((mark) => html`<line class="mark" key=${mark} x1=${x(mark)} x2=${x(mark)} y1=${EDGE.top} y2=${EDGE.top + tall} />`)}
      ${shown.map((one, place) => html`<${Curve} key=${one.name} one=${one} place=${place} x=${x} y=${y} />`)}
      ${here !== null && html`<line class="reading" x1=${x(here)} x2=${x(here)} y1=${EDGE.top} y2=${EDGE.top + tall} />
        ${shown.map((one, place) => dot(one, place, here, x, y))}`}
      <text class="name" x=${width - EDGE.right} y=${HEIGHT - 4} text-anchor="end">${xLabel}</text>
    </svg>
    <${Legend} shown=${shown} here=${here} xLabel=${xLabel} />
  </figure>`;
}

const color = (one, place) => one.color ?? `var(--curve-${(place % 6) + 1})`;

function Curve({ one, place, x, y }) {
  const style = { "--color": color(one, place) };
  const bars = one.low
    ? one.x.map((value, k) => Number.isFinite(one.y[k]) && html`<line class="bar" key=${k} x1=${x(value)} x2=${x(value)} y1=${y(one.low[k])} y2=${y(one.high[k])} />`)
    : null;
  // A single point makes no line.
  const dots = one.dots || one.y.filter(Number.isFinite).length < 2 ? one.x.map((value, k) => Number.isFinite(one.y[k]) && html`<circle key=${k} cx=${x(value)} cy=${y(one.y[k])} r="3.5" />`) : null;
  return html`<g class="curve" style=${style}>
    ${one.faint && html`<path class="faint" d=${path(one.x, one.faint, x, y)} />`}
    ${bars}<path d=${path(one.x, one.y, x, y)} />${dots}
  </g>`;
}

function path(xs, ys, x, y) {
  let up = true;
  return xs
    .map((value, k) => {
      if (!Number.isFinite(ys[k])) {
        up = true;
        return "";
      }
      const command = `${up ? "M" : "L"}${x(value).toFixed(1)} ${y(ys[k]).toFixed(1)}`;
      up = false;
      return command;
    })
    .join("");
}

function dot(one, place, here, x, y) {
  const k = one.x.indexOf(here);
  if (k < 0 || !Number.isFinite(one.y[k])) return null;
  return html`<circle class="read" key=${one.name} style=${{ "--color": color(one, place) }} cx=${x(here)} cy=${y(one.y[k])} r="4.5" />`;
}

function Legend({ shown, here, xLabel }) {
  const value = (one) => one.y[one.x.indexOf(here)];
  return html`<figcaption>
    ${shown.map((one, place) => html`<span class="entry" key=${one.name}>
      <i style=${{ background: color(one, place) }}></i>${one.name}${here !== null && html` <b>${short(value(one))}${interval(one, here)}</b>`}
    </span>`)}
    <span class="where" aria-live="polite">${here === null ? "" : `${xLabel} ${short(here)}`}</span>
  </figcaption>`;
}

function interval(one, here) {
  const k = one.x.indexOf(here);
  return one.low && Number.isFinite(one.low[k]) ? ` (${short(one.low[k])} to ${short(one.high[k])})` : "";
}

function nearest(places, value) {
  let best = 0;
  places.forEach((place, k) => {
    if (Math.abs(place - value) < Math.abs(places[best] - value)) best = k;
  });
  return best;
}
