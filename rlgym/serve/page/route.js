// Routing: the part of the address after "#" contains the whole state of a view.
import { useEffect, useState } from "./vendor/preact.js";

/** {path: ["env", NAME], query: {level: "0.3"}} of a hash such as #/env/NAME?level=0.3 */
export function parse(hash) {
  const [where, queryString = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const path = where.split("/").filter(Boolean).map(decoded);
  return { path, query: Object.fromEntries(new URLSearchParams(queryString)) };
}

/** The hash of a path and a query; values that are undefined or empty are left out. */
export function href(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const queryString = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const where = path.map((part) => encodeURIComponent(part).replaceAll("%3A", ":")).join("/");
  return `#/${where}${queryString ? `?${queryString}` : ""}`;
}

/** Go to a hash; `replace` adds no entry to the browser history. */
export function go(hash, { replace = false } = {}) {
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The current route; the component rerenders when it changes. */
export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  return parse(hash);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
