// Search over the environments, best matches first.

/** The environments with the texts that a search matches, in lower case. */
export function buildIndex(environments) {
  return environments.map((entry) => ({
    ...entry,
    lower: { name: entry.name.toLowerCase(), title: (entry.title ?? "").toLowerCase(), domain: entry.domain.toLowerCase() },
  }));
}

/** How well an entry matches a word: the lower the better; null if it does not. */
function matchRank(word, { name, title, domain }) {
  if (name === word) return 0;
  if (name.startsWith(word)) return 1;
  if (name.includes(`_${word}`)) return 2;
  if (name.includes(word)) return 3;
  if (domain.startsWith(word)) return 4;
  if (title.includes(word)) return title.startsWith(word) || title.includes(` ${word}`) ? 5 : 6;
  return domain.includes(word) ? 7 : null;
}

/** The sum of the ranks of all words, or null if one of them does not match. */
function totalRank(words, texts) {
  let total = 0;
  for (const word of words) {
    const rank = matchRank(word, texts);
    if (rank === null) return null;
    total += rank;
  }
  return total;
}

/** The environments that match every word of `search` and the filters, sorted by rank and name if there is a search. */
export function searchEnvironments(index, { search = "", domain = "", kind = "", shift = "", picture = "" }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean).flatMap((word) => word.split("_").filter(Boolean));
  const matches = [];
  for (const entry of index) {
    if ((domain && entry.domain !== domain) || (kind && entry.kind !== kind)) continue;
    if ((shift && !entry.has_shift) || (picture && !entry.has_picture)) continue;
    const rank = totalRank(words, entry.lower);
    if (rank !== null) matches.push([rank, entry]);
  }
  if (words.length) matches.sort(([a, one], [b, other]) => a - b || (one.name < other.name ? -1 : 1));
  return matches.map(([, entry]) => entry);
}

/** [[value, count], ...] of a field, sorted by value. */
export function countBy(environments, field) {
  const counts = new Map();
  for (const entry of environments) counts.set(entry[field], (counts.get(entry[field]) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
