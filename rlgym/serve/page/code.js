// Code that generates exactly the task on the page.
import { address, key } from "./api.js";
import { wrapAnswer } from "./answer_tags.js";
import { Copy, Segments } from "./ui.js";
import { html, useState } from "./vendor/preact.js";

const literal = (value) => (typeof value === "string" ? JSON.stringify(value) : String(value));

function python({ name, level, seed, knobs, split, answer_style: style }) {
  const args = [JSON.stringify(name), `level=${level}`, ...Object.entries(knobs).map(([knob, value]) => `${knob}=${literal(value)}`)];
  if (split !== "main") args.push(`split=${JSON.stringify(split)}`);
  if (style !== "tag") args.push(`answer_style=${JSON.stringify(style)}`);
  const answer = JSON.stringify(wrapAnswer("...", style));
  return `import rlgym

env = rlgym.make(${args.join(", ")})
observation, info = env.reset(seed=${seed})
print(observation)
observation, reward, terminated, truncated, info = env.step(${answer})
print(reward, info.get("score"))`;
}

function curl(request) {
  const quoted = JSON.stringify(request).replaceAll("'", "'\\''");
  const auth = key.get() ? ` \\\n  -H "Authorization: Bearer $RLGYM_KEY"` : "";
  return `curl -s ${address("v1/tasks")}${auth} \\
  -H 'Content-Type: application/json' \\
  -d '${quoted}'`;
}

export function Code({ request, live }) {
  const [language, setLanguage] = useState("python");
  const text = language === "python" ? python(request) : curl(request);
  const languages = live ? [["python", "Python"], ["curl", "curl"]] : [["python", "Python"]];
  return html`<section class="card code" aria-label="Code for this task" data-test="code">
    <div class="row apart"><h2>This task in code</h2>
      <span class="row tight"><${Segments} label="Language" value=${language} options=${languages} choose=${setLanguage} test="code-way" /><${Copy} text=${text}
        test="copy-code" /></span></div>
    <pre tabindex="0" data-test="code-text">${text}</pre>
  </section>`;
}
