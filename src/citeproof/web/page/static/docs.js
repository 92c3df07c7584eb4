// The documentation page: each example can be edited and sent.
import { withToken } from "./token.js";

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const status = form.querySelector(".status");
    const answer = form.querySelector(".answer");
    const body = form.querySelector("textarea")?.value;
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    Object.assign(headers, withToken());
    status.textContent = "Waiting for the answer";
    try {
      const response = await fetch(form.dataset.path, { method: form.dataset.method, headers, body });
      status.textContent = `Status ${response.status}`;
      answer.textContent = JSON.stringify(await response.json(), null, 2);
      answer.hidden = false;
    } catch {
      status.textContent = "The service does not answer.";
    }
  });
}
