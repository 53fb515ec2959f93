// Which environments a search means, best first.

/** Everything a search looks at, in small letters, made once. */
export function indexed(environments) {
  return environments.map((one) => ({
    ...one,
    low: { name: one.name.toLowerCase(), title: (one.title ?? "").toLowerCase(), domain: one.domain.toLowerCase() },
  }));
}

/** How well a word is met: the lower the better; null where it is not. */
function met(word, { name, title, domain }) {
  if (name === word) return 0;
  if (name.startsWith(word)) return 1;
  if (name.includes(`_${word}`)) return 2;
  if (name.includes(word)) return 3;
  if (domain.startsWith(word)) return 4;
  if (title.includes(word)) return title.startsWith(word) || title.includes(` ${word}`) ? 5 : 6;
  return domain.includes(word) ? 7 : null;
}

/** The environments that meet every word of `search` and all other filters; the search's order is by how well, then by name. */
export function found(index, { search = "", domain = "", kind = "", shift = "", picture = "" }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean).flatMap((word) => word.split("_").filter(Boolean));
  const hits = [];
  for (const one of index) {
    if ((domain && one.domain !== domain) || (kind && one.kind !== kind) || (shift && !one.shift) || (picture && !one.picture)) continue;
    let rank = 0;
    for (const word of words) {
      const how = met(word, one.low);
      if (how === null) {
        rank = null;
        break;
      }
      rank += how;
    }
    if (rank !== null) hits.push([rank, one]);
  }
  if (words.length) hits.sort(([a, one], [b, other]) => a - b || (one.name < other.name ? -1 : 1));
  return hits.map(([, one]) => one);
}

/** [[value, count], ...] of a field, in order of the alphabet. */
export function counts(environments, field) {
  const seen = new Map();
  for (const one of environments) seen.set(one[field], (seen.get(one[field]) ?? 0) + 1);
  return [...seen].sort(([a], [b]) => (a < b ? -1 : 1));
}
