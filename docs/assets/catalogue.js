// Fills and filters the table of docs/catalogue.md from assets/environments.json, which scripts/catalogue.py writes.
(() => {
  const KINDS = { environment: "one turn", game: "many turns", match: "match" };

  function matches(row, filters) {
    const words = filters.search.toLowerCase().split(/\s+/).filter(Boolean);
    const text = `${row.name} ${row.what} ${row.domain} ${row.format}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (!filters.domain || row.domain === filters.domain) &&
      (!filters.kind || row.kind === filters.kind) &&
      (!filters.only || (filters.only === "base" ? row.needs.length === 0 : row[filters.only]))
    );
  }

  function rowElement(row, base) {
    const tr = document.createElement("tr");
    const link = Object.assign(document.createElement("a"), { href: `${base}${row.name}/`, textContent: row.name });
    const cells = [link, row.what, row.domain.replaceAll("_", " "), KINDS[row.kind], row.needs.join(", ")];
    for (const cell of cells) {
      const td = document.createElement("td");
      td.append(cell);
      tr.append(td);
    }
    return tr;
  }

  async function start() {
    const place = document.querySelector("#environment-table");
    if (!place || place.dataset.ready) return;
    place.dataset.ready = "yes";
    const response = await fetch(new URL(place.dataset.rows, document.baseURI));
    const rows = await response.json();
    const filters = { search: "", domain: "", kind: "", only: "" };
    const body = place.querySelector("tbody");
    const count = place.querySelector(".catalogue-count");
    const show = () => {
      const found = rows.filter((row) => matches(row, filters));
      body.replaceChildren(...found.map((row) => rowElement(row, place.dataset.pages)));
      count.textContent = `${found.length} of ${rows.length} environments`;
    };
    const domains = place.querySelector("[name=domain]");
    for (const domain of [...new Set(rows.map((row) => row.domain))].sort()) {
      domains.append(new Option(domain.replaceAll("_", " "), domain));
    }
    for (const field of place.querySelectorAll("[name]")) {
      field.addEventListener("input", () => {
        filters[field.name] = field.value;
        show();
      });
    }
    show();
  }

  // The theme replaces pages without reloading where instant navigation is on.
  if (typeof document$ !== "undefined") document$.subscribe(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
