// The input box: it sends the token, takes dropped files, and reacts to Ctrl+Enter. Without it, the forms are plain.
import { keepToken, withToken } from "./token.js";

const byId = (id) => document.getElementById(id);
let replaced = false;

function say(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
}

function busy(form, isBusy) {
  form.querySelector("button").disabled = isBusy;
  byId("said").textContent = isBusy ? "Looking…" : "";
}

// Sends the form. A job has its own page; the answer to titles replaces the content, and Back restores it.
async function ask(form, address, request) {
  say("");
  busy(form, true);
  try {
    const answer = await fetch(address, { headers: withToken(), ...request });
    if (answer.redirected) {
      location.assign(answer.url);
      return;
    }
    const isPage = answer.headers.get("Content-Type").startsWith("text/html");
    const page = isPage && new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page?.getElementById("answers")) {
      show(page, address);
      return;
    }
    say(page ? page.getElementById("problem").textContent.trim() : (await answer.json()).detail);
    byId("access").hidden = answer.status !== 401;
    if (answer.status === 401) byId("token").focus();
  } catch {
    say("The service does not answer. Is it running, and is the network up?");
  }
  busy(form, false);
}

function show(page, address) {
  document.querySelector("main").replaceWith(page.querySelector("main"));
  document.title = page.title;
  if (address !== location.href) history.pushState(null, "", "/");
  replaced = true;
  byId("answers-title").focus();
}

function send(form) {
  if (form.id === "box" && !byId("text").value.trim() && !byId("file").files.length) {
    say("Enter a title, a reference or a bibliography, or choose a file.");
    return;
  }
  ask(form, "/", { method: "POST", body: new FormData(form) });
}

async function takeToken() {
  if (!await keepToken(byId("token").value)) {
    say("The service does not accept this token. Check the token, or ask the person who runs the service.");
    byId("token").select();
    return;
  }
  byId("access").hidden = true;
  say("");
  // Repeat the request, or fetch the job's page again.
  if (byId("text").value.trim() || byId("file").files.length) send(byId("box"));
  else dispatchEvent(new Event("token"));
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#box, .other, #access")) return;
  event.preventDefault();
  if (event.target.id === "access") takeToken();
  else send(event.target);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "text") return;
  const several = byId("text").value.includes("\n") || event.shiftKey;
  if (event.ctrlKey || event.metaKey || !several) { event.preventDefault(); send(byId("box")); }
});
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const form = event.target.closest("#box");
    if (!form) return;
    event.preventDefault();
    form.classList.toggle("over", name === "dragover");
    if (name !== "drop" || !event.dataTransfer.files.length) return;
    byId("file").files = event.dataTransfer.files;
    send(form);
  });
}
addEventListener("popstate", () => { if (replaced) location.reload(); });
addEventListener("pageshow", () => busy(byId("box"), false));

// A link sends no token, so the answer is fetched again with the token.
if (location.search && !byId("answers") && !byId("nothing") && !byId("job") && withToken().Authorization) {
  ask(byId("box"), location.href, {});
}
