// This browser's own searches, kept in its local storage and nowhere else.
const KEY = "citeproof-searches";
const LENGTH = 12;

function searches() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((title) => typeof title === "string") : [];
  } catch {
    return [];
  }
}

export function rememberSearch(title) {
  const kept = [title, ...searches().filter((other) => other !== title)].slice(0, LENGTH);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still searches.
  }
}

export function forgetSearches() { localStorage.removeItem(KEY); }

export function showHistory(again) {
  const rows = searches().map((title) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.addEventListener("click", () => again(title));
    const row = document.createElement("li");
    row.append(button);
    return row;
  });
  document.getElementById("history").replaceChildren(...rows);
  document.getElementById("forget").hidden = !rows.length;
}
