// The backend of the page: a running service, or static files if the page's `rlgym-backend` tag says so.
import { service } from "./api.js";

const kind = document.querySelector('meta[name="rlgym-backend"]')?.content ?? "service";

export const backend = kind === "static" ? (await import("./static.js")).backend : service;
