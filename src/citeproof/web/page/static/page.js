// The search page: wires the forms to the service and shows what comes back.
import { ApiError, searchTitle, searchTitles, useToken } from "./api.js";
import { asCsv, asJson, asText, download } from "./exports.js";
import { forgetSearches, rememberSearch, showHistory } from "./history.js";
import { startPanel } from "./panel.js";
import { KINDS, kindOf, renderItem } from "./results.js";
import { readFile, splitTitles } from "./titles.js";

const CHUNK = 20; // titles a request: small enough that results come as they are found
const byId = (id) => document.getElementById(id);
let items = [];
let shownKind = "all";
let running = null;

function say(text) { byId("said").textContent = text; }

function showProblem(error) {
  const text = error instanceof ApiError ? error.message : "Something in this page went wrong; reload it.";
  if (!(error instanceof ApiError)) console.error(error);
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
  byId("access").hidden = error.status !== 401;
}

function clearAnswers() {
  items = [];
  shownKind = "all";
  byId("filter").value = "";
  byId("problem").hidden = true;
  byId("results").replaceChildren();
  say("");
}

function addItems(more) {
  items.push(...more);
  byId("results").append(...more.map(renderItem));
  byId("answers").hidden = !items.length;
  byId("tools").hidden = items.length < 2;
  showKinds();
  applyFilter();
}

function showKinds() {
  const counts = { all: items.length };
  for (const item of items) counts[kindOf(item)] = (counts[kindOf(item)] ?? 0) + 1;
  const buttons = Object.entries({ all: "All", ...KINDS }).filter(([kind]) => counts[kind]).map(([kind, label]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${label} ${counts[kind]}`;
    button.dataset.kind = kind;
    button.setAttribute("aria-pressed", String(kind === shownKind));
    return button;
  });
  const focused = byId("kinds").contains(document.activeElement);
  byId("kinds").replaceChildren(...buttons);
  if (focused) byId("kinds").querySelector('[aria-pressed="true"]')?.focus();
}

function visible() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  return items.map((item, place) => {
    const text = byId("results").children[place].textContent.toLowerCase();
    return (shownKind === "all" || kindOf(item) === shownKind) && words.every((word) => text.includes(word));
  });
}

function applyFilter() {
  const shown = visible();
  [...byId("results").children].forEach((row, place) => { row.hidden = !shown[place]; });
  return shown.filter(Boolean).length;
}

function shownItems() {
  const shown = visible();
  return items.filter((_, place) => shown[place]);
}

async function lookUpOne(title) {
  clearAnswers();
  const button = byId("single").querySelector("button");
  button.disabled = true;
  try {
    const answer = await searchTitle(title);
    addItems([{ ...answer, error: null }]);
    say(KINDS[kindOf(items[0])]);
    rememberSearch(title);
    showHistory(lookUpAgain);
    panel.refresh();
  } catch (error) {
    byId("answers").hidden = true;
    showProblem(error);
  } finally {
    button.disabled = false;
  }
}

function lookUpAgain(title) {
  byId("title").value = title;
  byId("title").focus();
  lookUpOne(title);
}

async function lookUpAll(titles) {
  clearAnswers();
  running = new AbortController();
  byId("running").hidden = false;
  byId("batch").querySelector("button").disabled = true;
  let done = 0;
  showProgress(done, titles.length);
  try {
    while (done < titles.length && !running.signal.aborted) {
      const chunk = titles.slice(done, done + CHUNK);
      const answer = await patiently(() => searchTitles(chunk, running.signal));
      addItems(answer.items.map((item) => ({ ...item, index: done + item.index })));
      done += chunk.length;
      showProgress(done, titles.length);
    }
  } catch (error) {
    if (error.name !== "AbortError") showProblem(error);
  } finally {
    byId("running").hidden = true;
    byId("batch").querySelector("button").disabled = false;
    const count = (kind) => items.filter((item) => kindOf(item) === kind).length;
    const stopped = done < titles.length ? `Stopped after ${done} of ${titles.length} titles. ` : "";
    say(`${stopped}${count("found")} found, ${count("near")} near, ${count("missing")} not found.`);
    panel.refresh();
  }
}

// A service that limits how often one may ask is asked again when it says so.
async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== 429 || running.signal.aborted) throw error;
      byId("progress-text").textContent = `Waiting ${error.retryAfter} seconds, as the service asks`;
      await new Promise((resolve) => {
        setTimeout(resolve, 1000 * error.retryAfter);
        running.signal.addEventListener("abort", resolve, { once: true });
      });
    }
  }
}

function showProgress(done, total) {
  byId("progress").max = total;
  byId("progress").value = done;
  byId("progress-text").textContent = `${done} of ${total} titles`;
}

function countTitles() {
  const count = splitTitles(byId("titles").value).length;
  byId("count").textContent = count ? `${count} ${count === 1 ? "title" : "titles"}` : "";
}

async function takeFile(file) {
  if (!file) return;
  try {
    byId("titles").value = (await readFile(file)).join("\n");
    byId("problem").hidden = true;
  } catch (error) {
    showProblem(new ApiError(error.message));
  }
  countTitles();
}

byId("single").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!byId("title").value.trim()) return showProblem(new ApiError("Enter a title."));
  lookUpOne(byId("title").value);
});
byId("batch").addEventListener("submit", (event) => {
  event.preventDefault();
  const titles = splitTitles(byId("titles").value);
  if (!titles.length) return showProblem(new ApiError("Enter at least one title."));
  lookUpAll(titles);
});
byId("access").addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(byId("token").value);
  byId("access").hidden = true;
  byId("problem").hidden = true;
  panel.refresh();
});
byId("stop").addEventListener("click", () => running?.abort());
byId("titles").addEventListener("input", countTitles);
byId("file").addEventListener("change", (event) => takeFile(event.target.files[0]));
byId("batch").addEventListener("dragover", (event) => { event.preventDefault(); byId("batch").classList.add("over"); });
byId("batch").addEventListener("dragleave", () => byId("batch").classList.remove("over"));
byId("batch").addEventListener("drop", (event) => {
  event.preventDefault();
  byId("batch").classList.remove("over");
  takeFile(event.dataTransfer.files[0]);
});
byId("kinds").addEventListener("click", (event) => {
  const kind = event.target.closest("button")?.dataset.kind;
  if (!kind) return;
  shownKind = kind;
  showKinds();
  say(`${applyFilter()} shown`);
});
byId("filter").addEventListener("input", () => say(`${applyFilter()} shown`));
byId("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(asText(shownItems()));
    say("Copied.");
  } catch {
    say("This browser does not allow copying here; use CSV or JSON.");
  }
});
byId("csv").addEventListener("click", () => download("citeproof.csv", "text/csv", asCsv(shownItems())));
byId("json").addEventListener("click", () => download("citeproof.json", "application/json", asJson(shownItems())));
byId("forget").addEventListener("click", () => { forgetSearches(); showHistory(lookUpAgain); });

byId("batch").hidden = false;
byId("panel").hidden = false;
showHistory(lookUpAgain);
const panel = startPanel();
