// The tags that mark an answer in a response, and the tool calls that an answer contains.

const OPEN = { tag: "<answer>", boxed: "\\boxed{", fence: "```answer\n" };
const CLOSE = { tag: "</answer>", boxed: "}", fence: "\n```" };
const EXAMPLES = { tag: "<answer>…</answer>", boxed: "\\boxed{…}", fence: "```answer … ```" };

export const tagExample = (style) => EXAMPLES[style];

/** Whether a response already has answer tags or a tool call. */
export function hasAnswerTags(text, style) {
  return text.includes(OPEN[style].trim()) || text.includes("<tool_call>");
}

/** The answer in its tags; a response that has tags is returned unchanged. */
export function wrapAnswer(text, style) {
  return hasAnswerTags(text, style) ? text : `${OPEN[style]}${text}${CLOSE[style]}`;
}

/** [before, answer, after] of a response; the answer is null if the tags are missing. */
export function splitResponse(response, style) {
  const from = response.lastIndexOf(OPEN[style]);
  const start = from + OPEN[style].length;
  const end = style === "boxed" ? response.lastIndexOf("}") : response.indexOf(CLOSE[style], start);
  if (from < 0 || end < start) return [response, null, ""];
  return [response.slice(0, from), response.slice(start, end), response.slice(end + CLOSE[style].length)];
}

/** One tool call in the format that the prompts ask for. */
export const formatCall = (tool, args) => JSON.stringify({ tool, arguments: args });

/** The tool calls in an answer, [{tool, args}], or null if it contains anything else. */
export function parseCalls(answer) {
  const found = [];
  for (const line of (answer ?? "").split("\n").filter((one) => one.trim())) {
    try {
      const { tool, name, arguments: args } = JSON.parse(line);
      if (typeof (tool ?? name) !== "string") return null;
      found.push({ tool: tool ?? name, args: args ?? {} });
    } catch {
      return null;
    }
  }
  return found.length ? found : null;
}
