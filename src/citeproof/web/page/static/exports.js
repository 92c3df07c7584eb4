// The results to take away: as text, CSV or JSON.
import { KINDS, kindOf, matchOf } from "./results.js";

const COLUMNS = ["query_title", "status", "title", "similarity", "year", "venue", "authors", "doi", "url", "key", "error"];

export function asCsv(items) {
  return [COLUMNS, ...items.map(row)].map((cells) => cells.map(quote).join(",")).join("\r\n") + "\r\n";
}

export const asJson = (items) => `${JSON.stringify(items, null, 2)}\n`;

export const asText = (items) => [COLUMNS, ...items.map(row)].map((cells) => cells.join("\t")).join("\n");

export function download(name, type, content) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

function row(item) {
  const match = matchOf(item) ?? {};
  const fields = { ...match, query_title: item.query_title, status: KINDS[kindOf(item)], error: item.error };
  return COLUMNS.map((name) => (name === "authors" ? (fields.authors ?? []).join("; ") : String(fields[name] ?? "")));
}

// A cell that a spreadsheet would run as a formula is led by an apostrophe.
function quote(cell) {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return `"${safe.replaceAll('"', '""')}"`;
}
