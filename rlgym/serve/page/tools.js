// A form for the tools of an environment, generated from their JSON schemas. It sends the text that the prompt asks for.
import { formatCall } from "./answer_tags.js";
import { Call } from "./messages.js";
import { html, useState } from "./vendor/preact.js";

const LONG = 200;

function kindOf(schema) {
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "truth";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string") return "text";
  return "json";
}

/** Parse the text of a field; undefined if it is left out; throws if it is invalid. */
function valueOf(schema, text) {
  const kind = kindOf(schema);
  if (kind === "truth") return text === undefined ? schema.default : text;
  if (text === undefined || text === "") return kind === "text" && text === "" && schema.default === undefined ? "" : undefined;
  if (kind === "text") return text;
  if (kind === "choice") return schema.enum.find((one) => String(one) === text);
  if (kind === "number") return Number(text);
  return JSON.parse(text);
}

function label(name, schema, required) {
  const facts = [schema.type ?? "json", required ? null : schema.default === undefined ? "optional" : `${JSON.stringify(schema.default)} by default`];
  if (schema.minimum !== undefined || schema.maximum !== undefined) facts.splice(1, 0, `${schema.minimum ?? ""}–${schema.maximum ?? ""}`);
  return html`<span><code>${name}</code> <span class="soft">${facts.filter(Boolean).join(", ")}</span></span>`;
}

function Field({ name, schema, required, text, change }) {
  const kind = kindOf(schema);
  const common = { "data-test": "tool-field", "data-name": name, required };
  const input = (event) => change(event.target.value);
  const field = {
    choice: () => html`<select ...${common} value=${text ?? ""} onChange=${input}><option
      value="">choose …</option>${schema.enum.map((one) => html`<option key=${one} value=${String(one)}>${String(one)}</option>`)}</select>`,
    truth: () => html`<input type="checkbox" ...${common} required=${false} checked=${text ?? schema.default ?? false}
      onChange=${(event) => change(event.target.checked)} />`,
    number: () => html`<input type="number" ...${common} value=${text ?? ""} min=${schema.minimum} max=${schema.maximum}
      step=${schema.type === "integer" ? 1 : "any"} onInput=${input} />`,
    text: () => (schema.maxLength > LONG
      ? html`<textarea ...${common} rows="3" value=${text ?? ""} maxlength=${schema.maxLength} onInput=${input}></textarea>`
      : html`<input type="text" ...${common} value=${text ?? ""} maxlength=${schema.maxLength} autocomplete="off" onInput=${input} />`),
    json: () => html`<textarea ...${common} class="mono" rows="2" value=${text ?? ""} placeholder=${schema.type === "array" ? "[…]" : "JSON"}
      onInput=${input}></textarea>`,
  }[kind];
  return html`<label class="tool-field">${label(name, schema, required)}${field()}</label>`;
}

function collectArguments(parameters, texts) {
  const found = {};
  for (const [name, schema] of Object.entries(parameters.properties ?? {})) {
    let one;
    try {
      one = valueOf(schema, texts[name]);
    } catch {
      throw new Error(`${name} must be JSON, got ${texts[name]}`);
    }
    const required = (parameters.required ?? []).includes(name);
    if (one !== undefined || (required && kindOf(schema) === "truth")) found[name] = one ?? false;
  }
  return found;
}

/** `send(text)` receives the calls as text, one per line. */
export function ToolForm({ tools, send, busy }) {
  const functions = tools.map((tool) => tool.function ?? tool);
  const [name, setName] = useState(functions[0].name);
  const [texts, setTexts] = useState({});
  const [queue, setQueue] = useState([]);
  const [problem, setProblem] = useState("");
  const tool = functions.find((one) => one.name === name) ?? functions[0];
  const required = tool.parameters.required ?? [];
  const called = (then) => {
    try {
      setProblem("");
      then({ tool: tool.name, args: collectArguments(tool.parameters, texts) });
      setTexts({});
    } catch (error) {
      setProblem(error.message);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    if (busy) return;
    const all = (last) => [...queue, last].map((one) => formatCall(one.tool, one.args)).join("\n");
    called((last) => (setQueue([]), send(all(last))));
  };
  const choose = (one) => (setName(one), setTexts({}), setProblem(""));
  const fields = Object.entries(tool.parameters.properties ?? {});
  return html`<form class="tools" onSubmit=${submit} data-test="tool-form">
    <div class="tool-names" role="radiogroup" aria-label="Tool">
      ${functions.map((one) => html`<label key=${one.name} class=${one.name === tool.name ? "on" : ""} title=${one.description}>
        <input type="radio" name="tool" value=${one.name} checked=${one.name === tool.name} onChange=${() => choose(one.name)}
          data-test="tool" /><code>${one.name}</code>
      </label>`)}
    </div>
    <p class="soft">${tool.description}</p>
    <div class="tool-fields">
      ${fields.map(([field, schema]) => html`<${Field} key=${`${tool.name}.${field}`} name=${field} schema=${schema}
        required=${required.includes(field)} text=${texts[field]}
        change=${(text) => setTexts({ ...texts, [field]: text })} />`)}
    </div>
    ${problem && html`<p class="wrong" role="alert">${problem}</p>`}
    ${queue.length > 0 && html`<ol class="queue">${queue.map((one, at) => html`<li key=${at}><${Call} ...${one} />
      <button type="button" class="quiet small" aria-label="Remove this call"
        onClick=${() => setQueue(queue.filter((_, other) => other !== at))}>✕</button></li>`)}</ol>`}
    <div class="row">
      <button class="primary" aria-disabled=${busy} data-test="tool-send">${queue.length ? `Send ${queue.length + 1} calls` : "Send this call"}</button>
      <button type="button" aria-disabled=${busy} data-test="tool-add" title="One turn may have several calls"
        onClick=${(event) => event.target.form.reportValidity() && called((one) => setQueue([...queue, one]))}>Add another first</button>
    </div>
  </form>`;
}
