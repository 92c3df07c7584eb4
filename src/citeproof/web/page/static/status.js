// The live counters, the chart of the last day, and the state of the database.
import { keepToken, withToken } from "./token.js";

const EVERY = 10_000; // milliseconds
const NAMES = {
  single_search_requests: "Single searches",
  single_search_found: "Single searches found",
  batch_search_requests: "Batches",
  batch_search_items_total: "Titles in batches",
  batch_search_found_total: "Titles in batches found",
  single_search_errors: "Errors",
  verify_jobs: "Verified documents",
  verify_references: "Verified references",
  verify_jobs_failed: "Documents that could not be verified",
  web_page_views: "Page views",
};
const SVG = "http://www.w3.org/2000/svg";
const number = (value) => value.toLocaleString("en");

const refresh = () => Promise.allSettled([showHealth(), showStatistics()]);

async function get(address) {
  const answer = await fetch(address, { headers: withToken() });
  document.getElementById("access").hidden = answer.status !== 401;
  if (!answer.ok) throw new Error(`The service answered with status ${answer.status}.`);
  return answer.json();
}

async function showHealth() {
  const state = document.getElementById("state");
  try {
    const { status, database } = await get("/api/health");
    state.classList.toggle("bad", status !== "ok");
    state.textContent = status === "ok"
      ? `${number(database.records)} records, ${newest(database)}`
      : "The database is not available: nothing can be looked up.";
  } catch (error) {
    state.classList.add("bad");
    state.textContent = error.message;
  }
}

async function showStatistics() {
  const { counters, hours } = await get("/api/runtime/stats");
  const rows = Object.entries(NAMES).flatMap(([name, label]) => {
    const term = document.createElement("dt");
    const value = document.createElement("dd");
    term.textContent = label;
    value.textContent = number(counters[name] ?? 0);
    return [term, value];
  });
  document.getElementById("counters").replaceChildren(...rows);
  document.getElementById("chart").replaceChildren(...chart(hours));
}

function chart(hours) {
  const total = hours.reduce((sum, hour) => sum + hour.searches, 0);
  const found = hours.reduce((sum, hour) => sum + hour.found, 0);
  const top = Math.max(1, ...hours.map((hour) => hour.searches));
  const picture = element("svg", { viewBox: "0 0 240 80", preserveAspectRatio: "none", role: "img" });
  picture.setAttribute("aria-label", `${number(total)} titles searched, ${number(found)} found, by hour`);
  hours.forEach((hour, place) => {
    for (const [name, value] of [["all", hour.searches], ["hits", hour.found]]) {
      const height = value ? Math.max(2, (76 * value) / top) : 0;
      picture.append(element("rect", { class: name, x: 10 * place + 1, y: 79 - height, width: 8, height }));
    }
  });
  picture.append(element("line", { class: "axis", x1: 0, x2: 240, y1: 79.5, y2: 79.5 }));
  const ends = document.createElement("p");
  ends.className = "ends";
  for (const text of ["24 h ago", `${number(total)} titles, ${number(found)} found`, "now"]) {
    const end = document.createElement("span");
    end.textContent = text;
    ends.append(end);
  }
  return [picture, ends];
}

function element(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

// The day of the data, not of the file that holds it.
function newest({ sources }) {
  const days = (sources ?? []).filter((source) => source.dump_date).map((source) => `${source.name} up to ${source.dump_date}`);
  return days.join(", ") || "of unknown date";
}

document.getElementById("access").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await keepToken(document.getElementById("token").value)) refresh();
});
setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
refresh();
