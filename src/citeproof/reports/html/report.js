"use strict";
// Filters and sorts what the page shows. Without it all entries are there, the worst first.
const form = document.querySelector("form.controls");
const said = form.querySelector("[role=status]");
const lists = [...document.querySelectorAll(".entries")].map((list) => ({
  list,
  section: list.parentElement,
  entries: [...list.children].map((entry, place) => ({
    entry,
    place,
    status: entry.dataset.status,
    line: Number(entry.dataset.line),
    key: entry.dataset.key.toLowerCase(),
    text: entry.textContent.toLowerCase(),
  })),
}));
const orders = {
  worst: (one, other) => one.place - other.place,
  place: (one, other) => one.line - other.line || one.place - other.place,
  key: (one, other) => one.key.localeCompare(other.key) || one.place - other.place,
};

function filter() {
  const statuses = new Set([...form.elements.status.length ? form.elements.status : [form.elements.status]]
    .filter((box) => box.checked).map((box) => box.value));
  const wanted = form.elements.text.value.trim().toLowerCase();
  let shown = 0;
  let all = 0;
  for (const { section, entries } of lists) {
    let here = 0;
    for (const one of entries) {
      one.entry.hidden = !statuses.has(one.status) || !one.text.includes(wanted);
      here += one.entry.hidden ? 0 : 1;
    }
    section.hidden = here === 0;
    shown += here;
    all += entries.length;
  }
  said.textContent = shown === all ? "" : `${shown} of ${all} entries are shown`;
}

function sort() {
  const order = orders[form.elements.order.value];
  for (const { list, entries } of lists) {
    list.append(...[...entries].sort(order).map((one) => one.entry));
  }
}

form.addEventListener("input", filter);
form.elements.order.addEventListener("change", sort);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
