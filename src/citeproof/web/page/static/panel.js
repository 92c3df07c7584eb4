// The live counters, the chart of the last day, and the state of the database.
import { getHealth, getStatistics } from "./api.js";

const EVERY = 10_000; // milliseconds
const NAMES = {
  single_search_requests: "Single searches",
  single_search_found: "Single searches found",
  batch_search_requests: "Batches",
  batch_search_items_total: "Titles in batches",
  batch_search_found_total: "Titles in batches found",
  single_search_errors: "Errors",
  web_page_views: "Page views",
};
const SVG = "http://www.w3.org/2000/svg";
const number = (value) => value.toLocaleString("en");

export function startPanel() {
  const refresh = () => Promise.allSettled([showHealth(), showStatistics()]);
  setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
  refresh();
  return { refresh };
}

async function showHealth() {
  const state = document.getElementById("state");
  try {
    const { status, database } = await getHealth();
    state.classList.toggle("bad", status !== "ok");
    state.textContent = status === "ok"
      ? `${number(database.records)} records · ${age(database.age_seconds)} old`
      : "The database is not available: nothing can be looked up.";
  } catch (error) {
    state.classList.add("bad");
    state.textContent = error.message;
  }
}

async function showStatistics() {
  const { counters, hours } = await getStatistics();
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

function age(seconds) {
  for (const [size, name] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    const count = Math.floor(seconds / size);
    if (count) return `${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return "less than a minute";
}
