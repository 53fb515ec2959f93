// A task being played: what the model reads, the answers, and the score.
import { Answer } from "./answer.js";
import { Drawing } from "./drawing.js";
import { useEpisode } from "./episode_state.js";
import { Observed, Response } from "./messages.js";
import { Problem } from "./ui.js";
import { html, useEffect, useRef } from "./vendor/preact.js";
import { Brief, Verdict } from "./verdict.js";

function Turns({ episode, limit }) {
  const taken = episode.state.turns.filter((turn) => turn.response !== undefined).length;
  return html`<div class="steps" data-test="turns" data-taken=${taken} data-limit=${limit ?? ""}>
    <span>${limit ? `Turn ${Math.min(taken + (episode.done ? 0 : 1), limit)} of ${limit}` : "Several turns"}</span>
    ${limit && html`<progress max=${limit} value=${taken} aria-label="Turns used"></progress><span class="soft">${limit - taken} left</span>`}
    <span class="spring"></span>
    ${taken > 0 && html`<button class="small" aria-disabled=${Boolean(episode.state.busy)} onClick=${() => episode.back(0)}
      data-test="from-start">Back to the start</button>`}
  </div>`;
}

function Answered({ turn, at, episode, many, style }) {
  const can = many && turn.snapshot && !episode.state.busy;
  return html`<div class="reply card">
    <div class="row apart head"><span class="label">${turn.by === "you" ? "You" : turn.by}</span>
      ${many && turn.snapshot && html`<button class="small quiet" aria-disabled=${!can} onClick=${() => episode.back(at)} data-test="back"
        data-turn=${at}>↶ Back to here</button>`}</div>
    <${Response} text=${turn.response} style=${style} />
  </div>`;
}

function Earlier({ past, style, many }) {
  if (!past.length) return null;
  return html`<details class="earlier" data-test="earlier">
    <summary>${past.length} earlier ${many ? "attempt" : "answer"}${past.length === 1 ? "" : "s"}</summary>
    <ul class="stack">${past.map(({ at, turns }, one) => html`<li key=${one}>
      <p class="soft small-text">${many && `from turn ${at + 1}: `}${turns.at(-1).score ? html`<${Brief}
        score=${turns.at(-1).score} />` : "abandoned"}${turns.at(-1).by !== "you" && ` (${turns.at(-1).by})`}</p>
      ${turns.map((turn, index) => html`<${Response} key=${index} text=${turn.response} style=${style} />`)}
    </li>`)}</ul>
  </details>`;
}

function useNewest(count) {
  const newest = useRef(null);
  useEffect(() => {
    if (count > 0) newest.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [count]);
  return newest;
}

/** `task` is the task before anything is played; `waiting` while another one is being loaded. */
export function EpisodeView({ request, spec, task, waiting }) {
  const episode = useEpisode(request, task, spec.has_picture);
  const { turns, view, limit, past, busy, error, finalSvg } = episode.state;
  const many = spec.kind !== "environment" || (limit ?? 1) > 1;
  const style = request.answer_style;
  const last = turns.at(-1);
  const newest = useNewest(past.length + turns.length - (last.response === undefined ? 1 : 0));
  const svg = finalSvg ?? turns.findLast((turn) => turn.svg)?.svg;
  return html`<div class=${`play ${spec.has_picture ? "drawn" : ""}`} aria-busy=${Boolean(busy || waiting)}>
    <div class="talk stack">
      ${many && html`<${Turns} episode=${episode} limit=${limit ?? turnsOf(task.observation)} />`}
      ${turns.map((turn, at) => html`<div class="turn stack" key=${at}>
        <${Observed} text=${turn.observation} label=${at === 0 ? "What the model reads" : `Turn ${at + 1}: observation`} copy=${at === 0}
          test=${at === 0 ? "prompt" : "observation"} waiting=${waiting} />
        ${turn.response !== undefined && html`<${Answered} turn=${turn} at=${at} episode=${episode} many=${many} style=${style} />`}
      </div>`)}
      <div class="stack" ref=${newest}>
        ${view?.done && last.score && html`<${Verdict} score=${last.score} feedback=${last.feedback} by=${last.by === "you" ? "" : last.by} />`}
        <p class="visually-hidden" role="status">${busy}</p>
        <${Problem} error=${error} again=${episode.state.retry} restart=${() => episode.restart()} />
        ${(!view?.done || !many) && html`<${Answer} episode=${episode} spec=${spec} tools=${view?.tools ?? task.tools ?? []} style=${style} />`}
        <${Earlier} past=${past} style=${style} many=${many} />
      </div>
    </div>
    ${spec.has_picture && html`<div class="aside"><${Drawing} svg=${svg} now=${many} /></div>`}
  </div>`;
}

/** The turn limit as the prompt's last line states it; an open session reports it itself. */
function turnsOf(observation) {
  const match = /You have (\d+) turns?\b(?!.*You have \d+ turns?\b)/s.exec(observation);
  return match ? Number(match[1]) : null;
}
