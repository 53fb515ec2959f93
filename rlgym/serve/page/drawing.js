// The drawing of a task. It comes as SVG text and is shown as an image, in which nothing can run or be fetched.
import { html } from "./vendor/preact.js";

/** Width by height of an SVG, so that its place is kept before it is there. */
function shape(svg) {
  const box = /viewBox="\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(svg);
  const [width, height] = box ? [Number(box[1]), Number(box[2])] : [1, 1];
  return width > 0 && height > 0 ? [width, height] : [1, 1];
}

export function Drawing({ svg, now }) {
  if (!svg) return html`<figure class="drawing empty" aria-hidden="true"></figure>`;
  const [width, height] = shape(svg);
  return html`<figure class="drawing" data-test="drawing">
    <img src=${`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} width=${width} height=${height} style=${`aspect-ratio:${width}/${height}`}
      alt=${now ? "What the player sees now, drawn" : "The task, drawn"} />
  </figure>`;
}
