// The live counters, the charts of the last day, and the state of the database.
import { keepToken, withToken } from "./token.js";

const EVERY = 10_000; // milliseconds between two refreshes
// Each section has a chart by the hour, with bars for all and for a part of them, and figures below it.
const SECTIONS = {
  searches: {
    bars: [["searches", "all"], ["found", "hits"]],
    say: (all, found) => `${some(all, "title")}, ${found} found`,
    rows: ({ counters }) => [
      ["Single searches", counters.single_search_requests],
      ["Single searches found", counters.single_search_found],
      ["Batches", counters.batch_search_requests],
      ["Titles in batches", counters.batch_search_items_total],
      ["Titles in batches found", counters.batch_search_found_total],
      ["Errors", counters.single_search_errors],
      ["Page views", counters.web_page_views],
    ],
  },
  documents: {
    bars: [["documents", "hits"], ["failed", "faults"]],
    say: (all, failed) => some(all, "document") + (failed === "0" ? "" : `, ${failed} could not be verified`),
    rows: ({ counters, jobs }) => [
      ["Documents", counters.verify_jobs],
      ["Documents that could not be verified", counters.verify_jobs_failed],
      ["Verified references", counters.verify_references],
      ["Verified references per second", perSecond(counters)],
      ["Waiting now", jobs.waiting],
      ["Being verified now", jobs.running],
    ],
  },
};
const SVG = "http://www.w3.org/2000/svg";
const number = (value) => value.toLocaleString("en");
const some = (count, what) => `${count} ${what}${count === "1" ? "" : "s"}`;

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
  const statistics = await get("/api/runtime/stats");
  for (const [name, section] of Object.entries(SECTIONS)) {
    const rows = section.rows(statistics).flatMap(([label, value]) => {
      const term = document.createElement("dt");
      const figure = document.createElement("dd");
      term.textContent = label;
      figure.textContent = number(value ?? 0);
      return [term, figure];
    });
    document.getElementById(`${name}-counters`).replaceChildren(...rows);
    document.getElementById(`${name}-chart`).replaceChildren(...chart(statistics.hours, section));
  }
}

const perSecond = (counters) =>
  counters.verify_milliseconds ? Math.round((1000 * counters.verify_references) / counters.verify_milliseconds) : 0;

function chart(hours, { bars, say }) {
  const sums = bars.map(([field]) => number(hours.reduce((sum, hour) => sum + hour[field], 0)));
  const described = say(...sums);
  const top = Math.max(1, ...hours.map((hour) => hour[bars[0][0]]));
  const picture = element("svg", { viewBox: "0 0 240 80", preserveAspectRatio: "none", role: "img" });
  picture.setAttribute("aria-label", `${described}, by hour`);
  hours.forEach((hour, place) => {
    for (const [field, look] of bars) {
      const height = hour[field] ? Math.max(2, (76 * hour[field]) / top) : 0;
      picture.append(element("rect", { class: look, x: 10 * place + 1, y: 79 - height, width: 8, height }));
    }
  });
  picture.append(element("line", { class: "axis", x1: 0, x2: 240, y1: 79.5, y2: 79.5 }));
  const ends = document.createElement("p");
  ends.className = "ends";
  for (const text of ["24 hours ago", described, "now"]) {
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

// Returns the dates of the sources. The date of the database file says nothing about the data.
function newest({ sources }) {
  const days = (sources ?? []).filter((source) => source.dump_date).map((source) => `${source.name} up to ${source.dump_date}`);
  return [...new Set(days)].join(", ") || "of unknown date";
}

document.getElementById("access").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await keepToken(document.getElementById("token").value)) refresh();
});
setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
refresh();
