// The box: with a token, by dropping a file, by Ctrl+Enter. Without this module it is a plain form.
import { keepToken, withToken } from "./token.js";

const byId = (id) => document.getElementById(id);
const form = byId("box");

function say(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
}

async function send() {
  if (!byId("text").value.trim() && !byId("file").files.length) {
    say("Enter a title, a reference or a bibliography, or choose a file.");
    return;
  }
  say("");
  const button = form.querySelector("button");
  button.disabled = true;
  byId("said").textContent = "Verifying…";
  try {
    const answer = await fetch("/api/verify", { method: "POST", headers: withToken(), body: new FormData(form) });
    const content = await answer.json();
    if (answer.ok) {
      location.assign(content.address);
      return;
    }
    say(content.detail);
    byId("access").hidden = answer.status !== 401;
    if (answer.status === 401) byId("token").focus();
  } catch {
    say("The service does not answer. Is it running, and is the network up?");
  }
  byId("said").textContent = "";
  button.disabled = false;
}

form.addEventListener("submit", (event) => { event.preventDefault(); send(); });
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "text") return;
  const several = byId("text").value.includes("\n") || event.shiftKey;
  if (event.ctrlKey || event.metaKey || !several) { event.preventDefault(); send(); }
});
byId("access").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!await keepToken(byId("token").value)) {
    say("This token is not the service's. Check it, or ask who runs the service.");
    byId("token").select();
    return;
  }
  byId("access").hidden = true;
  say("");
  // The question is repeated; a job's own page is asked for again.
  if (byId("text").value.trim() || byId("file").files.length) send();
  else dispatchEvent(new Event("token"));
});
for (const name of ["dragover", "dragleave", "drop"]) {
  form.addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.toggle("over", name === "dragover");
    if (name !== "drop" || !event.dataTransfer.files.length) return;
    byId("file").files = event.dataTransfer.files;
    send();
  });
}
addEventListener("pageshow", () => { form.querySelector("button").disabled = false; byId("said").textContent = ""; });
