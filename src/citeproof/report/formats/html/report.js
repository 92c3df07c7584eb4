"use strict";
// Filters and sorts what the page shows. Without it all entries are there, the worst first.
const form = document.querySelector("form.controls");
const said = form.querySelector("[role=status]");
// A list has entries, and lines of class "group" before the entries that they explain.
const lists = [...document.querySelectorAll(".entries")].map((list) => {
  let group = null;
  const entries = [];
  [...list.children].forEach((child, place) => {
    if (child.classList.contains("group")) {
      group = child;
      return;
    }
    entries.push({
      entry: child,
      place,
      group,
      status: child.dataset.status,
      line: Number(child.dataset.line),
      key: child.dataset.key.toLowerCase(),
      text: child.textContent.toLowerCase(),
    });
  });
  return { list, section: list.parentElement, children: [...list.children], entries };
});
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
  for (const { list, section, entries } of lists) {
    let here = 0;
    list.querySelectorAll(".group").forEach((group) => { group.hidden = true; });
    for (const one of entries) {
      one.entry.hidden = !statuses.has(one.status) || !one.text.includes(wanted);
      here += one.entry.hidden ? 0 : 1;
      if (one.group && !one.entry.hidden && form.elements.order.value === "worst") one.group.hidden = false;
    }
    section.hidden = here === 0;
    shown += here;
    all += entries.length;
  }
  said.textContent = shown === all ? "" : `${shown} of ${all} entries are shown`;
}

function sort() {
  const order = orders[form.elements.order.value];
  for (const { list, children, entries } of lists) {
    const inOrder = order === orders.worst ? children : [...entries].sort(order).map((one) => one.entry);
    list.append(...inOrder);
  }
  filter();
}

form.addEventListener("input", filter);
form.elements.order.addEventListener("change", sort);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
