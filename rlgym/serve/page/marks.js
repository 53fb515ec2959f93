// How an answer stands in a response, and how calls of tools are read back out of it to be shown.

const OPEN = { tag: "<answer>", boxed: "\\boxed{", fence: "```answer\n" };
const CLOSE = { tag: "</answer>", boxed: "}", fence: "\n```" };
const SHOWN = { tag: "<answer>…</answer>", boxed: "\\boxed{…}", fence: "```answer … ```" };

export const shownMark = (style) => SHOWN[style];

/** Whether a response has an answer's mark already. */
export function isMarked(text, style) {
  return text.includes(OPEN[style].trim()) || text.includes("<tool_call>");
}

/** The answer in its marks; a response that has them is left as it is. */
export function marked(text, style) {
  return isMarked(text, style) ? text : `${OPEN[style]}${text}${CLOSE[style]}`;
}

/** [before, answer, after] of a response; the answer is null where the marks are not found. */
export function parted(response, style) {
  const from = response.lastIndexOf(OPEN[style]);
  const start = from + OPEN[style].length;
  const end = style === "boxed" ? response.lastIndexOf("}") : response.indexOf(CLOSE[style], start);
  if (from < 0 || end < start) return [response, null, ""];
  return [response.slice(0, from), response.slice(start, end), response.slice(end + CLOSE[style].length)];
}

/** One call as the prompts ask for it. */
export const written = (tool, given) => JSON.stringify({ tool, arguments: given });

/** The calls that an answer holds, [{tool, given}], or null where it holds anything else. */
export function calls(answer) {
  const found = [];
  for (const line of (answer ?? "").split("\n").filter((one) => one.trim())) {
    try {
      const { tool, name, arguments: given } = JSON.parse(line);
      if (typeof (tool ?? name) !== "string") return null;
      found.push({ tool: tool ?? name, given: given ?? {} });
    } catch {
      return null;
    }
  }
  return found.length ? found : null;
}
