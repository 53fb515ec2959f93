// What can go wrong between the page and what is behind it, and what to tell the reader.

/** An answer of the service that is an error, or the lack of an answer (code "unreachable"). */
export class ApiError extends Error {
  constructor({ code, message, retryable = false, retry_after = null }) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.retryAfter = retry_after;
  }
}

const gone = "Episodes are let go when nothing happens in them for a while. The same task can be started again from its seed.";

// code -> [title, text, what helps]. A null text stands for the service's own words.
const SAID = {
  unreachable: ["The service does not answer", "It may have been stopped, or the network is down. This page's address keeps your task.", "again"],
  unauthorized: ["A key is needed", null, "key"],
  forbidden: ["This key may not do that", null, "key"],
  unknown: ["There is no such thing here", null, null],
  session_expired: ["This episode has expired", gone, "restart"],
  session_lost: ["This episode was lost", gone, "restart"],
  stale_turn: ["The episode has moved on elsewhere", null, "restart"],
  episode_over: ["This episode is over", null, "restart"],
  quota: ["That was all for now", null, "again"],
  busy: ["Still at work on your last request", null, "again"],
  full: ["The service is full", null, "again"],
  draining: ["The service is about to stop", null, "again"],
  worker_lost: ["A part of the service has failed", null, "again"],
  too_large: ["That text is too long", null, null],
  invalid: ["That cannot be done", null, null],
  needs_service: ["This needs a service", null, null],
};

/** {title, text, help}: an error in words, and what helps: "again", "key", "restart" or null. */
export function explain(error) {
  if (!(error instanceof ApiError)) {
    return { title: "The page has failed", text: String(error?.message ?? error), help: "again" };
  }
  const [title, text, help] = SAID[error.code] ?? ["The service reports an error", null, error.retryable ? "again" : null];
  const wait = error.retryAfter > 0 ? ` Try again in ${seconds(error.retryAfter)}.` : "";
  return { title, text: `${text ?? error.message}${wait}`, help };
}

function seconds(count) {
  const whole = Math.ceil(count);
  if (whole >= 120) return `${Math.ceil(whole / 60)} minutes`;
  return `${whole} second${whole === 1 ? "" : "s"}`;
}
