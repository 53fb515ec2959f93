// The home view: all environments, filtered as you type.
import { backend } from "./backend.js";
import { buildIndex, countBy, searchEnvironments } from "./search.js";
import { useKeys } from "./shortcuts.js";
import { go, href } from "./route.js";
import { Problem, Segments, useRequest } from "./ui.js";
import { Component, html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";

const PAGE_SIZE = 40;
const SLOW_MS = 3000;
const KINDS = [["", "All"], ["environment", "One answer"], ["game", "Games"], ["match", "Matches"]];
const cache = { index: null };

/** The search index of all environments, fetched once per page load. */
export async function allEnvironments(signal) {
  cache.index ??= buildIndex(await backend.environments({ signal }));
  return cache.index;
}

export const readable = (name) => name.replaceAll("_", " ");

export function Badges({ one }) {
  const badges = [];
  if (one.kind === "game") badges.push(["turns", "A game of several turns"]);
  if (one.kind === "match") badges.push(["match", "A match against a built-in player"]);
  if (one.has_picture) badges.push(["picture", "Its tasks have a drawing"]);
  if (one.has_shift) badges.push(["shift", "Has a structurally different family of tasks"]);
  return badges.map(([text, why]) => html`<span key=${text} class=${`badge kind-${text}`} title=${why}>${text}</span>`);
}

/** Rerenders only if its entry changes, so that typing does not rerender every row. */
class Row extends Component {
  shouldComponentUpdate({ one, marked }) {
    return one !== this.props.one || marked !== this.props.marked;
  }

  render({ one, marked }) {
    return drawnRow(one, marked);
  }
}

function drawnRow(one, marked) {
  return html`<li class=${marked ? "marked" : ""}>
    <a href=${href(["env", one.name])} data-test="item" data-name=${one.name}>
      <span class="name">${one.name}</span>
      <span class="title">${one.title}</span>
      <span class="domain">${readable(one.domain)}</span>
      <span class="badges"><${Badges} one=${one} /></span>
    </a>
  </li>`;
}

function Domains({ index, filters, set }) {
  const domains = useMemo(() => countBy(index, "domain"), [index]);
  const link = (value, text, count) => html`<li key=${value}>
    <button class="quiet" aria-pressed=${filters.domain === value} onClick=${() => set({ domain: value })} data-test="domain" data-domain=${value}>
      <span>${text}</span><span class="count">${count}</span>
    </button>
  </li>`;
  return html`<div class="domains">
    <select aria-label="Domain" value=${filters.domain} onChange=${(event) => set({ domain: event.target.value })} data-test="domain-select">
      <option value="">All domains</option>
      ${domains.map(([value, count]) => html`<option key=${value} value=${value}>${readable(value)} (${count})</option>`)}
    </select>
    <ul aria-label="Domains">
      ${link("", "All domains", index.length)}
      ${domains.map(([value, count]) => link(value, readable(value), count))}
    </ul>
  </div>`;
}

function Filters({ index, filters, set }) {
  const box = (name, text) => html`<label class="check">
    <input type="checkbox" checked=${Boolean(filters[name])} onChange=${(event) => set({ [name]: event.target.checked ? "1" : "" })}
      data-test=${`filter-${name}`} />
    ${text}
  </label>`;
  return html`<aside class="filters" aria-label="Filters">
    <${Segments} label="Kind" value=${filters.kind} options=${KINDS} choose=${(kind) => set({ kind })} test="kind" />
    <div class="checks">${box("shift", "has a shift")}${box("picture", "has a drawing")}</div>
    <${Domains} index=${index} filters=${filters} set=${set} />
  </aside>`;
}

const FILTERS = ["search", "domain", "kind", "shift", "picture"];
const hashOf = (filters) => href([], filters);

/** The filters and their setter. The address is updated after a pause, so that typing does not update it on every key. */
function useFilters(query) {
  const [filters, setFilters] = useState(() => Object.fromEntries(FILTERS.map((name) => [name, query[name] ?? ""])));
  const latest = useRef(filters);
  latest.current = filters;
  const write = () => history.replaceState(null, "", hashOf(latest.current));
  useEffect(() => {
    const later = setTimeout(write, 300);
    return () => clearTimeout(later);
  }, [filters]);
  return [filters, (some) => setFilters({ ...latest.current, ...some }), write];
}

/** The number of rendered rows, which grows as the end of the list scrolls into view. */
function useMore(results) {
  const [count, setCount] = useState(PAGE_SIZE);
  const end = useRef(null);
  useEffect(() => setCount(PAGE_SIZE), [results]);
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setCount((old) => old + PAGE_SIZE), { rootMargin: "600px" });
    if (end.current) watch.observe(end.current);
    return () => watch.disconnect();
  }, [results, count]);
  return [count, end, setCount];
}

/** Whether something has been active for more than a few seconds. */
function useIsSlow(active) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const later = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(later);
  }, [active]);
  return active && slow;
}

function moved(list, step, search) {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement) + step;
  if (at < 0) search.focus();
  else links[Math.min(at, links.length - 1)]?.focus();
}

export function List({ route }) {
  const { value: index, error, again } = useRequest(allEnvironments, []);
  const [filters, set, write] = useFilters(route.query);
  const results = useMemo(() => searchEnvironments(index ?? [], filters), [index, filters]);
  const [count, end] = useMore(results);
  const search = useRef(null);
  const list = useRef(null);
  useEffect(() => {
    document.title = "rlgym playground";
    if (matchMedia("(pointer: fine)").matches) search.current.focus();
  }, []);
  useKeys({ "/": () => search.current.select() });
  const pressed = (event) => {
    if (event.key === "ArrowDown") moved(list.current, 1, search.current);
    else if (event.key === "ArrowUp" && event.target !== search.current) moved(list.current, -1, search.current);
    else if (event.key === "Enter" && event.target === search.current && results.length) {
      write();
      go(href(["env", results[0].name]));
    } else return;
    event.preventDefault();
  };
  const slow = useIsSlow(!index && !error);
  const loading = slow ? "Loading the environments … A newly installed service takes a minute or two, once." : "Loading the environments …";
  const status = index ? `${results.length} of ${index.length} environments` : error ? "" : loading;
  return html`<div class="find" onKeyDown=${pressed}>
    <h1 class="visually-hidden">Environments</h1>
    <div class="search">
      <input type="search" ref=${search} value=${filters.search} placeholder="Search: sudoku, graphs, SQL …" aria-label="Search the environments"
        aria-controls="environments" autocomplete="off" spellcheck="false" onInput=${(event) => set({ search: event.target.value })} data-test="search" />
      <kbd aria-hidden="true">/</kbd>
    </div>
    <p class="status" role="status" data-test="count">${status}</p>
    <${Problem} error=${error} again=${again} />
    ${index && html`<${Filters} index=${index} filters=${filters} set=${set} />`}
    <ul class="environments" id="environments" ref=${list} data-test="list" onClick=${write}>
      ${results.slice(0, count).map((one, at) => html`<${Row} key=${one.name} one=${one} marked=${at === 0 && filters.search !== ""} />`)}
      ${results.length > count && html`<li key="more" class="more" ref=${end} aria-hidden="true"></li>`}
      ${index && !results.length && html`<li key="none" class="none">No environment matches. <button
        onClick=${() => set({ search: "", domain: "", kind: "", shift: "", picture: "" })}>Show all</button></li>`}
    </ul>
  </div>`;
}
