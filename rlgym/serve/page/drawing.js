// The drawing of a task: SVG shown as an image, in which no script runs and nothing is fetched.
import { html } from "./vendor/preact.js";

/** [width, height] of an SVG, which reserves its space before it is drawn. */
function dimensions(svg) {
  const box = /viewBox="\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(svg);
  const [width, height] = box ? [Number(box[1]), Number(box[2])] : [1, 1];
  return width > 0 && height > 0 ? [width, height] : [1, 1];
}

export function Drawing({ svg, now }) {
  if (!svg) return html`<figure class="drawing empty" aria-hidden="true"></figure>`;
  const [width, height] = dimensions(svg);
  return html`<figure class="drawing" data-test="drawing">
    <img src=${`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} width=${width} height=${height} style=${`aspect-ratio:${width}/${height}`}
      alt=${now ? "Drawing of what the player sees" : "Drawing of the task"} />
  </figure>`;
}
