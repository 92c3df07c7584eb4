// A job's page. While the job runs, the page is fetched again. Links to parts of the job and downloads send the token.
import { withToken } from "./token.js";

const SOON = 500; // milliseconds between the first refreshes of a running job
const LATER = 1500; // milliseconds between later refreshes
const OFTEN = 20; // number of refreshes with the shorter interval
const byId = (id) => document.getElementById(id);
let looks = 0;
let waiting = 0;

// Fetches the page again and shows it. An answer is dropped if the address has changed in the meantime.
async function refresh() {
  clearTimeout(waiting);
  if (byId("answers")) return false; // titles were looked up on this page
  const address = location.href;
  const answer = await fetch(address, { headers: withToken() }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (address !== location.href) return false;
  const job = page?.getElementById("job");
  byId("access").hidden = answer?.status !== 401;
  byId("problem").textContent = job ? "" : page?.getElementById("problem")?.textContent.trim() || "The service does not answer.";
  byId("problem").hidden = Boolean(job);
  if (!job) {
    if (!answer && byId("job")) waiting = setTimeout(refresh, LATER);
    return false;
  }
  const first = !byId("job");
  byId("nothing")?.remove();
  if (first) document.querySelector("main").append(job);
  else update(job);
  document.title = page.title;
  wire();
  if (first) showHeading();
  return true;
}

// Replaces the job by its new state. Opened details stay open, and the focus stays where it is.
function update(job) {
  const opened = [...document.querySelectorAll("#job details[open]")].map((one) => placeOf(one, "details"));
  const focused = document.activeElement;
  const kind = focused?.dataset.kind;
  const place = byId("job").contains(focused) ? placeOf(focused, FOCUSABLE) : null;
  byId("job").replaceWith(job);
  for (const one of opened) at(one, "details")?.setAttribute("open", "");
  const again = kind !== undefined ? document.querySelector(`#kinds [data-kind="${kind}"]`) : place && at(place, FOCUSABLE);
  again?.focus({ preventScroll: true });
}

// The position of an element: the id of its entry or of the job, and its index among elements of its kind in there.
const FOCUSABLE = "a[href], summary, button, [tabindex]";
const placeOf = (one, kind) => {
  const owner = one.closest("li[id]") ?? byId("job");
  return [owner.id, [...owner.querySelectorAll(kind)].indexOf(one)];
};
const at = ([id, index], kind) => byId(id)?.querySelectorAll(kind)[index];

function wire() {
  const job = byId("job");
  for (const button of job.querySelectorAll(".copy")) button.hidden = false;
  if (job.dataset.running === "yes") waiting = setTimeout(refresh, looks++ < OFTEN ? SOON : LATER);
}

// Browsers offer a clipboard only at a secure address. At others the entry is selected, so that Ctrl+C copies it.
async function copyText(button, shown) {
  try {
    await navigator.clipboard.writeText(shown.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(shown);
    button.textContent = "Selected: press Ctrl+C";
  }
}

// Shows another part of the same job without leaving the page. It has its own address in the history.
async function turnTo(link) {
  const turnsPage = Boolean(link.closest("#pages"));
  history.pushState(null, "", link.href);
  if (await refresh() && turnsPage) byId("heading").focus();
}

async function download(link) {
  const answer = await fetch(link.href, { headers: withToken() }).catch(() => null);
  if (!answer?.ok) {
    byId("problem").textContent = (await answer?.json().catch(() => null))?.detail ?? "This file could not be fetched. Try again.";
    byId("problem").hidden = false;
    return;
  }
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(await answer.blob());
  anchor.download = answer.headers.get("Content-Disposition").split('"')[1];
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

document.addEventListener("click", (event) => {
  const copy = event.target.closest(".copy");
  if (copy) copyText(copy, copy.nextElementSibling);
  const link = event.target.closest("a");
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
  if (link?.closest("#kinds, #pages") && !elsewhere) {
    event.preventDefault();
    turnTo(link);
  }
  if (link?.matches("#exports a, .save") && withToken().Authorization) {
    event.preventDefault();
    download(link);
  }
});
// Moves the heading to the top of the window, so that a phone shows the first problem, too.
function showHeading() {
  byId("heading").focus();
  byId("heading").scrollIntoView();
}

addEventListener("popstate", refresh);
addEventListener("token", refresh);

if (byId("job")) {
  showHeading();
  wire();
} else refresh();
