// Errors of the backend, and how they are shown.

/** An error response of the service, or a missing response (code "unreachable"). */
export class ApiError extends Error {
  constructor({ code, message, retryable = false, retry_after = null }) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.retryAfter = retry_after;
  }
}

const SESSION_GONE = "Idle episodes are closed after a while. You can restart the same task from its seed.";

// code -> [title, text, remedy]. If the text is null, the message of the error is shown.
const EXPLANATIONS = {
  unreachable: ["The service does not respond", "It may be stopped, or the network may be down. The address of this page keeps your task.", "retry"],
  unauthorized: ["A key is required", null, "key"],
  forbidden: ["This key lacks the permission", null, "key"],
  not_found: ["Not found", null, null],
  session_expired: ["This episode has expired", SESSION_GONE, "restart"],
  session_lost: ["This episode was lost", SESSION_GONE, "restart"],
  stale_turn: ["The episode was continued elsewhere", null, "restart"],
  episode_over: ["This episode is over", null, "restart"],
  quota_exceeded: ["Quota exceeded", null, "retry"],
  session_busy: ["Your last request is still in progress", null, "retry"],
  overloaded: ["The service is overloaded", null, "retry"],
  draining: ["The service is shutting down", null, "retry"],
  worker_lost: ["A worker of the service failed", null, "retry"],
  too_large: ["That text is too long", null, null],
  invalid_request: ["Invalid request", null, null],
  needs_service: ["This needs a service", null, null],
};

/** {title, text, help}: the explanation of an error, and the remedy: "retry", "key", "restart" or null. */
export function explain(error) {
  if (!(error instanceof ApiError)) {
    return { title: "The page has failed", text: String(error?.message ?? error), help: "retry" };
  }
  const [title, text, help] = EXPLANATIONS[error.code] ?? ["The service reports an error", null, error.retryable ? "retry" : null];
  const wait = error.retryAfter > 0 ? ` Retry in ${formatSeconds(error.retryAfter)}.` : "";
  return { title, text: `${text ?? error.message}${wait}`, help };
}

function formatSeconds(seconds) {
  const whole = Math.ceil(seconds);
  if (whole >= 120) return `${Math.ceil(whole / 60)} minutes`;
  return `${whole} second${whole === 1 ? "" : "s"}`;
}
