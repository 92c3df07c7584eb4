// A job's page: the service's own rendering is asked for again while the job runs; filters, downloads with a token.
import { withToken } from "./token.js";

const EVERY = 500; // milliseconds
const byId = (id) => document.getElementById(id);
let kind = "";

async function refresh() {
  const answer = await fetch(location.pathname, { headers: withToken() }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const job = page?.getElementById("job");
  if (!job) {
    byId("access").hidden = answer?.status !== 401;
    byId("problem").textContent = page?.getElementById("problem")?.textContent.trim() || "The service does not answer.";
    byId("problem").hidden = false;
    return;
  }
  const first = !byId("job");
  if (first) document.querySelector("main").append(job);
  else update(job);
  document.title = page.title;
  wire();
  if (first) byId("heading").focus();
}

// What is read or opened stays as it is: only what is new or changed is put in place.
function update(job) {
  const open = new Set([...document.querySelectorAll("#results details[open]")].map((one) => `#${one.closest("li").id} .${one.className}`));
  const focused = document.activeElement;
  const key = focused?.closest("#kinds") ? `#kinds [data-kind="${focused.dataset.kind}"]` : focused?.id ? `#${focused.id}` : "";
  byId("job").replaceWith(job);
  for (const one of open) document.querySelector(one)?.setAttribute("open", "");
  if (key) document.querySelector(key)?.focus({ preventScroll: true });
}

function wire() {
  const job = byId("job");
  if (!job) return;
  if (byId("kinds")) byId("kinds").hidden = false;
  for (const button of job.querySelectorAll(".copy")) button.hidden = false;
  show();
  if (job.dataset.running === "yes") setTimeout(refresh, EVERY);
}

function show() {
  for (const button of document.querySelectorAll("#kinds button")) {
    button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
  }
  for (const row of document.querySelectorAll("#results > li")) row.hidden = Boolean(kind) && row.dataset.kind !== kind;
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

document.addEventListener("click", async (event) => {
  const button = event.target.closest("#kinds button");
  if (button) {
    kind = button.dataset.kind;
    show();
  }
  const copy = event.target.closest(".copy");
  if (copy) copyText(copy, copy.nextElementSibling);
  const link = event.target.closest("#exports a");
  if (!link || !withToken().Authorization) return;
  event.preventDefault();
  const answer = await fetch(link.href, { headers: withToken() });
  if (!answer.ok) return;
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(await answer.blob());
  anchor.download = link.href.split("/").pop().replace("report", "citeproof");
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
});
addEventListener("token", refresh);

if (byId("job")) {
  byId("heading").focus();
  wire();
} else refresh();
