// The page's address: everything that a view needs to be shown again stands after the "#".
import { useEffect, useState } from "./vendor/preact.js";

/** {path: ["env", NAME], query: {level: "0.3"}} of a hash such as #/env/NAME?level=0.3 */
export function parse(hash) {
  const [where, asked = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const path = where.split("/").filter(Boolean).map(decoded);
  return { path, query: Object.fromEntries(new URLSearchParams(asked)) };
}

/** The hash of a path and a query; values that are undefined or empty are left out. */
export function href(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const asked = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const where = path.map((part) => encodeURIComponent(part).replaceAll("%3A", ":")).join("/");
  return `#/${where}${asked ? `?${asked}` : ""}`;
}

/** Go to a hash; `replace` leaves no step for the back button. */
export function go(hash, { replace = false } = {}) {
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The route of now; the component is drawn again when it changes. */
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
