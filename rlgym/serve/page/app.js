// The app: header, dialogs for the key and the shortcuts, and the view that the address selects.
import { key } from "./api.js";
import { backend } from "./backend.js";
import { KeysHelp, useKeys } from "./shortcuts.js";
import { List } from "./list.js";
import { go, useRoute } from "./route.js";
import { Dialog, Problem } from "./ui.js";
import { html, render, useEffect, useState } from "./vendor/preact.js";

const THEMES = ["system", "light", "dark"];
const NEXT_THEME = { system: "◐", light: "☀", dark: "☾" };

// First part of the path -> its view, loaded on demand; only List is loaded at once. Views receive {route}.
const LAZY_VIEWS = {
  env: () => import("./env.js").then((module) => module.EnvironmentPage),
  runs: () => import("./runs.js").then((module) => module.Runs),
  watch: () => import("./watch.js").then((module) => module.Watch),
};

function useTheme() {
  const [theme, setTheme] = useState(() => localStorage.getItem("rlgym-theme") ?? "system");
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("rlgym-theme", theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])];
}

function Header({ where, theme, nextTheme, showKeys, showKey }) {
  const link = (name, target, text) => html`<a href=${target} aria-current=${where === name ? "page" : undefined}>${text}</a>`;
  return html`<header class="top">
    <a class="brand" href="#/"><img src="page/icon.svg" alt="" width="22" height="22" />rlgym</a>
    <nav aria-label="Views">${link("", "#/", "Environments")}${link("runs", "#/runs", "Runs")}</nav>
    <span class="spring"></span>
    ${backend.keyed && html`<button class="quiet small" onClick=${showKey} data-test="key">${key.get() ? "Key ✓" : "Key"}</button>`}
    <button class="quiet small icon" onClick=${nextTheme} aria-label=${`Colours: ${theme}`} title=${`Colours: ${theme}`} data-test="theme">
      ${NEXT_THEME[theme]}
    </button>
    <button class="quiet small icon" onClick=${showKeys} aria-label="Shortcuts" title="Shortcuts (?)" data-test="help">?</button>
  </header>`;
}

function KeyBox({ open, close }) {
  const [text, setText] = useState("");
  const keep = (value) => {
    key.set(value.trim());
    // Everything on the page was requested with the old key.
    location.reload();
  };
  return html`<${Dialog} open=${open} close=${close} title="API key" test="key-box">
    <form onSubmit=${(event) => (event.preventDefault(), keep(text))} class="stack">
      <p>This service requires a key. The page keeps it in this tab only and forgets it when the tab is closed.</p>
      <input type="password" autocomplete="off" aria-label="Key" autofocus value=${text} onInput=${(event) => setText(event.target.value)}
        data-test="key-field" />
      <div class="row end">
        ${key.get() && html`<button type="button" onClick=${() => keep("")}>Forget the key</button>`}
        <button class="primary" data-test="key-keep">Use this key</button>
      </div>
    </form>
  <//>`;
}

function useView(first) {
  const [views, setViews] = useState({});
  const [error, setError] = useState(null);
  useEffect(() => {
    setError(null);
    if (!LAZY_VIEWS[first] || views[first]) return;
    LAZY_VIEWS[first]().then((view) => setViews((old) => ({ ...old, [first]: view })), setError);
  }, [first]);
  return [LAZY_VIEWS[first] ? views[first] : List, error];
}

function App() {
  const route = useRoute();
  const first = route.path[0] ?? "";
  const [View, error] = useView(first);
  const [theme, nextTheme] = useTheme();
  const [box, setBox] = useState(null);
  const close = () => setBox(null);
  useEffect(() => {
    const openKeyDialog = () => setBox("key");
    window.addEventListener("rlgym:key", openKeyDialog);
    return () => window.removeEventListener("rlgym:key", openKeyDialog);
  }, []);
  useKeys({
    "?": () => setBox("keys"),
    t: nextTheme,
    "/": () => (first === "" ? false : go("#/")),
  });
  return html`
    <${Header} where=${first} theme=${theme} nextTheme=${nextTheme} showKeys=${() => setBox("keys")} showKey=${() => setBox("key")} />
    <main id="main" tabindex="-1">
      ${error && html`<${Problem} error=${error} again=${() => location.reload()} />`}
      ${View && html`<${View} key=${first} route=${route} />`}
    </main>
    <${Dialog} open=${box === "keys"} close=${close} title="Keyboard shortcuts" test="keys-box"><${KeysHelp} /><//>
    <${KeyBox} open=${box === "key"} close=${close} />`;
}

document.querySelector("#app").replaceChildren();
render(html`<${App} />`, document.querySelector("#app"));

// The part of the address after "#" selects a view, so an anchor link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelector("#main").focus();
});
