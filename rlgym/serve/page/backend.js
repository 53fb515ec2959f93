// What is behind the page: a service, or files where the page says so in its `rlgym-backend` line.
import { service } from "./api.js";

const kind = document.querySelector('meta[name="rlgym-backend"]')?.content ?? "service";

export const backend = kind === "static" ? (await import("./static.js")).backend : service;
