"use strict";
(() => {
  const all = (where, what) => Array.from(where.querySelectorAll(what));
  const root = document.documentElement;

  // Light or dark: as the system says, until the reader says otherwise.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => { root.dataset.theme = root.dataset.asked || (dark.matches ? "dark" : "light"); };
  dark.addEventListener("change", paint);
  paint();
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.asked = root.dataset.theme === "dark" ? "light" : "dark";
    paint();
  });

  const key = (cell) => cell.dataset.v ?? cell.textContent;

  function sortable(box) {
    const body = box.querySelector("tbody"), rows = all(body, "tr"), told = box.querySelector("output");
    const search = box.querySelector("input[type=search]"), menus = all(box, "select");
    let shown = Number(box.dataset.shown) || Infinity;
    const more = document.createElement("button");
    more.type = "button";
    more.textContent = "Show all rows";
    more.addEventListener("click", () => { shown = Infinity; filter(); });
    if (shown < rows.length) box.append(more);

    function filter() {
      const wanted = search ? search.value.trim().toLowerCase() : "";
      let found = 0;
      for (const row of all(body, "tr")) {
        const fits = (!wanted || row.textContent.toLowerCase().includes(wanted))
          && menus.every((menu) => !menu.value || key(row.cells[menu.dataset.column]) === menu.value);
        found += fits;
        row.hidden = !fits || found > shown;
      }
      more.hidden = found <= shown;
      if (told) told.textContent = found === rows.length ? `${rows.length} rows` : `${found} of ${rows.length} rows`;
    }

    function sort(head) {
      const column = head.cellIndex, up = head.getAttribute("aria-sort") === "descending";
      const first = head.getAttribute("aria-sort") === "none";
      const value = (row) => key(row.cells[column]);
      const numeric = rows.some((row) => value(row) !== "" && !Number.isNaN(Number(value(row))));
      const rising = first ? !numeric : up;
      const none = (text) => text === "" || text === "–";
      const order = (a, b) => {
        const one = value(a), two = value(b);
        if (none(one) || none(two)) return none(one) - none(two);
        const by = numeric ? Number(one) - Number(two) : one.localeCompare(two);
        return rising ? by : -by;
      };
      for (const other of all(box, "th")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      body.append(...rows.slice().sort(order));
      filter();
    }

    for (const head of all(box, "th")) head.firstElementChild.addEventListener("click", () => sort(head));
    if (search) search.addEventListener("input", filter);
    for (const menu of menus) menu.addEventListener("change", filter);
    filter();
  }
  all(document, ".sortable").forEach(sortable);

  for (const tabs of all(document, ".tabs")) {
    const buttons = all(tabs, "button");
    const choose = (chosen) => {
      for (const button of buttons) {
        button.setAttribute("aria-selected", button === chosen);
        button.tabIndex = button === chosen ? 0 : -1;
        document.getElementById(button.getAttribute("aria-controls")).hidden = button !== chosen;
      }
    };
    for (const [place, button] of buttons.entries()) {
      button.addEventListener("click", () => choose(button));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = buttons[(place + step + buttons.length) % buttons.length];
        next.focus();
        choose(next);
      });
    }
    choose(buttons[0]);
  }

  // What a model wrote is only ever set as text.
  const island = document.getElementById("transcripts-data");
  if (!island) return;
  const transcripts = JSON.parse(island.textContent);
  const reader = document.getElementById("reader"), list = reader.querySelector("ul"), said = reader.querySelector(".said");
  const menus = Object.fromEntries(all(document.getElementById("reader-tools"), "select").map((menu) => [menu.name, menu]));
  const told = document.querySelector("#reader-tools output");
  const make = (name, text, class_) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (class_) made.className = class_;
    return made;
  };
  const verdict = (one) => (one.masked ? "masked" : one.right ? "right" : "wrong");
  const fill = (menu, values) => {
    for (const value of Array.from(new Set(values)).sort()) {
      const option = make("option", value);
      option.value = value;
      menu.append(option);
    }
  };
  fill(menus.env, transcripts.map((one) => one.env));
  fill(menus.outcome, transcripts.map((one) => one.outcome));
  let found = [], at = 0;

  function show(place, focus) {
    at = Math.max(0, Math.min(place, found.length - 1));
    for (const [number, button] of all(list, "button").entries()) {
      button.setAttribute("aria-current", number === at);
      if (number === at && focus) button.focus();
    }
    said.replaceChildren();
    const one = found[at];
    if (!one) return;
    const steps = make("div", undefined, "steps");
    for (const [label, step] of [["← Previous", -1], ["Next →", 1]]) {
      const button = make("button", label);
      button.type = "button";
      button.addEventListener("click", () => show(at + step));
      steps.append(button);
    }
    const facts = [`level ${one.level}`, one.split === "shift" ? "shift" : one.domain, `sample ${one.sample}`, `${one.turns} turn${one.turns === 1 ? "" : "s"}`];
    if (one.completion_tokens !== null) facts.push(`${one.completion_tokens} tokens`);
    if (one.confidence !== undefined) facts.push(`confidence ${one.confidence}`);
    if (one.finish !== "stop") facts.push(`finished by ${one.finish}`);
    const line = make("p");
    line.append(make("span", `${one.outcome}, score ${one.value}`, `verdict ${verdict(one)}`), one.reason ? `: ${one.reason}` : "");
    said.append(steps, make("h3", one.id), line, make("p", facts.join(" · "), "note"));
    for (const [role, text] of one.messages) {
      said.append(make("h4", role), make("pre", text, ["assistant", "tool"].includes(role) ? role : ""));
    }
  }

  function filter() {
    found = transcripts.filter((one) => (!menus.env.value || one.env === menus.env.value)
      && (!menus.verdict.value || verdict(one) === menus.verdict.value)
      && (!menus.outcome.value || one.outcome === menus.outcome.value));
    list.replaceChildren(...found.map((one, place) => {
      const button = make("button");
      button.type = "button";
      button.append(make("span", verdict(one), `verdict ${verdict(one)}`), ` ${one.env}`, make("small", `level ${one.level} · ${one.outcome} · sample ${one.sample}`));
      button.addEventListener("click", () => show(place));
      const item = make("li");
      item.append(button);
      return item;
    }));
    told.textContent = `${found.length} of ${transcripts.length} transcripts`;
    show(0);
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(at + step, true);
  });
  for (const menu of Object.values(menus)) menu.addEventListener("change", filter);
  for (const link of all(document, "a[data-transcript]")) {
    link.addEventListener("click", () => {
      for (const menu of Object.values(menus)) menu.value = "";
      filter();
      show(found.findIndex((one) => `${one.id}/${one.sample}` === link.dataset.transcript), false);
    });
  }
  filter();
})();
