// The code that makes exactly the task that is shown.
import { address, key } from "./api.js";
import { marked } from "./marks.js";
import { Copy, Segments } from "./ui.js";
import { html, useState } from "./vendor/preact.js";

const literal = (value) => (typeof value === "string" ? JSON.stringify(value) : String(value));

function python({ name, level, seed, knobs, split, answer_style: style }) {
  const given = [JSON.stringify(name), `level=${level}`, ...Object.entries(knobs).map(([knob, value]) => `${knob}=${literal(value)}`)];
  if (split !== "main") given.push(`split=${JSON.stringify(split)}`);
  if (style !== "tag") given.push(`answer_style=${JSON.stringify(style)}`);
  const answer = JSON.stringify(marked("...", style));
  return `import rlgym

env = rlgym.make(${given.join(", ")})
observation, info = env.reset(seed=${seed})
print(observation)
observation, reward, terminated, truncated, info = env.step(${answer})
print(reward, info.get("score"))`;
}

function curl(ask) {
  const quoted = JSON.stringify(ask).replaceAll("'", "'\\''");
  const auth = key.get() ? ` \\\n  -H "Authorization: Bearer $RLGYM_KEY"` : "";
  return `curl -s ${address("v1/tasks")}${auth} \\
  -H 'Content-Type: application/json' \\
  -d '${quoted}'`;
}

export function Code({ ask, live }) {
  const [way, setWay] = useState("python");
  const text = way === "python" ? python(ask) : curl(ask);
  const ways = live ? [["python", "Python"], ["curl", "curl"]] : [["python", "Python"]];
  return html`<section class="card code" aria-label="Code that makes this task" data-test="code">
    <div class="row apart"><h2>Exactly this task, in code</h2>
      <span class="row tight"><${Segments} label="Language" value=${way} options=${ways} choose=${setWay} test="code-way" /><${Copy} text=${text}
        test="copy-code" /></span></div>
    <pre tabindex="0" data-test="code-text">${text}</pre>
  </section>`;
}
