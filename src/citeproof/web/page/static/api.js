// The service's answers, and its errors as sentences.
const TOKEN = "citeproof-token";

export class ApiError extends Error {
  constructor(message, status = 0, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter; // seconds
  }
}

export function useToken(token) { sessionStorage.setItem(TOKEN, token); }

export const searchTitle = (title) => send("/api/search/title", { title });
export const searchTitles = (titles, signal) => send("/api/search/title/batch", { titles }, signal);
export const getHealth = () => send("/api/health");
export const getStatistics = () => send("/api/runtime/stats");

async function send(address, body, signal) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${asBytes(token)}`;
  let answer;
  try {
    const method = body ? "POST" : "GET";
    answer = await fetch(address, { method, headers, body: body && JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The service does not answer. Is it running, and is the network up?");
  }
  const content = await answer.json().catch(() => ({}));
  if (answer.ok) return content;
  const detail = content.detail ?? `The service answered with status ${answer.status}.`;
  throw new ApiError(detail, answer.status, Number(answer.headers.get("Retry-After")));
}

// A header takes no letter beyond Latin-1; the service reads the bytes as UTF-8.
function asBytes(text) { return String.fromCharCode(...new TextEncoder().encode(text)); }
