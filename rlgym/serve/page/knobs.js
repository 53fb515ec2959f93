// The value of a knob at a level, with the library's arithmetic, so that moving a slider needs no request.

/** Round half to even, as Python does. */
function rounded(value) {
  const low = Math.floor(value);
  const over = value - low;
  if (over !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

/** The value of a knob at a level in [0, 1]. */
export function at(facts, level) {
  const { easy, hard, order, scale, type } = facts;
  if (order) {
    const first = order.indexOf(easy);
    return order[rounded(first + level * (order.indexOf(hard) - first))];
  }
  const between = easy + level * (hard - easy);
  const even = Math.min(Math.max(between, Math.min(easy, hard)), Math.max(easy, hard));
  const value = scale === "log" && level !== 0 && level !== 1 ? easy * Math.exp(level * Math.log(hard / easy)) : even;
  return type === "int" ? rounded(value) : value;
}

/** The level at which a knob has approximately this value. */
export function levelOf(facts, value) {
  const { easy, hard, order, scale } = facts;
  if (easy === hard) return 0;
  if (order) {
    const first = order.indexOf(easy);
    return (order.indexOf(value) - first) / (order.indexOf(hard) - first);
  }
  const level = scale === "log" ? Math.log(value / easy) / Math.log(hard / easy) : (value - easy) / (hard - easy);
  return Math.min(1, Math.max(0, level));
}

/** Parse a knob's value from the address; undefined if it is not a value of this knob. */
export function read(facts, text) {
  if (facts.order) return facts.order.includes(text) ? text : undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return undefined;
  return facts.type === "int" ? Math.round(value) : value;
}

/** Format a number compactly. */
export function brief(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}
