// A job's page: the service's own rendering is asked for again while the job runs; other pages, downloads with a token.
import { withToken } from "./token.js";

const SOON = 500; // milliseconds until a running job is looked at again
const LATER = 1500; // of one that has run for a while
const OFTEN = 20; // looks after which that is
const byId = (id) => document.getElementById(id);
let looks = 0;
let waiting = 0;

// The answer to an earlier address comes too late where another part was asked for meanwhile.
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

// What is read or opened stays as it is: only what is new or changed is put in place.
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

// Where something stands: in which entry, else in the job, and as which of its kind.
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

// Only a secure address has a clipboard; elsewhere the entry is selected, so that Ctrl+C takes it.
async function copyText(button, shown) {
  try {
    await navigator.clipboard.writeText(shown.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(shown);
    button.textContent = "Selected: press Ctrl+C";
  }
}

// Another part of the same job, without leaving the page: its own address, which Back leaves again.
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
// At the top of the window, so that a phone shows the first problem, too.
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
