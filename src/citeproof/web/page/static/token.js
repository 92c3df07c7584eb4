// The service's token, kept until the tab is closed.
const TOKEN = "citeproof-token";

export function withToken() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${asBytes(token)}` } : {};
}

// Returns whether the service accepts the token. The token is kept only if it does.
export async function keepToken(token) {
  const before = sessionStorage.getItem(TOKEN);
  sessionStorage.setItem(TOKEN, token);
  const answer = await fetch("/api/runtime/stats", { headers: withToken() }).catch(() => null);
  if (answer && answer.status !== 401) return true;
  if (before === null) sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, before);
  return false;
}

// A header takes no letter beyond Latin-1; the service reads the bytes as UTF-8.
const asBytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));
