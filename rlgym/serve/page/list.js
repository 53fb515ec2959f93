// The first view: every environment, found by typing.
import { backend } from "./backend.js";
import { counts, found, indexed } from "./find.js";
import { useKeys } from "./keys.js";
import { go, href } from "./route.js";
import { Problem, Segments, useAsked } from "./ui.js";
import { Component, html, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";

const AT_ONCE = 40;
const LATE_MS = 3000;
const KINDS = [["", "All"], ["environment", "One answer"], ["game", "Games"], ["match", "Matches"]];
const kept = { index: null };

/** The environments, indexed for searching; asked for once in the life of the page. */
export async function allEnvironments(signal) {
  kept.index ??= indexed(await backend.environments({ signal }));
  return kept.index;
}

export const readable = (name) => name.replaceAll("_", " ");

export function Badges({ one }) {
  const badges = [];
  if (one.kind === "game") badges.push(["turns", "A game of several turns"]);
  if (one.kind === "match") badges.push(["match", "A match against a built-in player"]);
  if (one.picture) badges.push(["picture", "Its tasks are drawn"]);
  if (one.shift) badges.push(["shift", "Has a structurally different family of tasks"]);
  return badges.map(([text, why]) => html`<span key=${text} class=${`badge kind-${text}`} title=${why}>${text}</span>`);
}

/** Drawn again only when what it is of has changed: typing must not draw every row anew. */
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
  const domains = useMemo(() => counts(index, "domain"), [index]);
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
    <div class="checks">${box("shift", "has a shift")}${box("picture", "has a picture")}</div>
    <${Domains} index=${index} filters=${filters} set=${set} />
  </aside>`;
}

const FILTERS = ["search", "domain", "kind", "shift", "picture"];
const hashOf = (filters) => href([], filters);

/** The filters, and how to change them; the address follows a moment later, so that fast typing does not fill it. */
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

/** How many rows are drawn: more, as the end of the list comes near. */
function useMore(results) {
  const [count, setCount] = useState(AT_ONCE);
  const end = useRef(null);
  useEffect(() => setCount(AT_ONCE), [results]);
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setCount((old) => old + AT_ONCE), { rootMargin: "600px" });
    if (end.current) watch.observe(end.current);
    return () => watch.disconnect();
  }, [results, count]);
  return [count, end, setCount];
}

/** Whether something has been going on for more than a few seconds. */
function useLate(going) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    const later = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(later);
  }, [going]);
  return going && late;
}

function moved(list, step, search) {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement) + step;
  if (at < 0) search.focus();
  else links[Math.min(at, links.length - 1)]?.focus();
}

export function List({ route }) {
  const { value: index, error, again } = useAsked(allEnvironments, []);
  const [filters, set, write] = useFilters(route.query);
  const results = useMemo(() => found(index ?? [], filters), [index, filters]);
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
  const slow = useLate(!index && !error);
  const loading = slow ? "Loading the environments … a service that was just installed takes a minute or two, once" : "Loading the environments …";
  const said = index ? `${results.length} of ${index.length} environments` : error ? "" : loading;
  return html`<div class="find" onKeyDown=${pressed}>
    <h1 class="visually-hidden">Environments</h1>
    <div class="search">
      <input type="search" ref=${search} value=${filters.search} placeholder="Search: sudoku, graphs, SQL …" aria-label="Search the environments"
        aria-controls="environments" autocomplete="off" spellcheck="false" onInput=${(event) => set({ search: event.target.value })} data-test="search" />
      <kbd aria-hidden="true">/</kbd>
    </div>
    <p class="said" role="status" data-test="count">${said}</p>
    <${Problem} error=${error} again=${again} />
    ${index && html`<${Filters} index=${index} filters=${filters} set=${set} />`}
    <ul class="environments" id="environments" ref=${list} data-test="list" onClick=${write}>
      ${results.slice(0, count).map((one, at) => html`<${Row} key=${one.name} one=${one} marked=${at === 0 && filters.search !== ""} />`)}
      ${results.length > count && html`<li key="more" class="more" ref=${end} aria-hidden="true"></li>`}
      ${index && !results.length && html`<li key="none" class="none">Nothing is called that. <button
        onClick=${() => set({ search: "", domain: "", kind: "", shift: "", picture: "" })}>Show all</button></li>`}
    </ul>
  </div>`;
}
