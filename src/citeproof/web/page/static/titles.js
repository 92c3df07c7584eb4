// Titles out of what a person pastes or drops: lines of text, or the title fields of a .bib file.
const LIMIT = 20 * 1024 * 1024;

export function splitTitles(text) {
  const titles = looksLikeBibtex(text) ? bibtexTitles(text) : text.split(/\r?\n/);
  return titles.map((title) => title.replace(/\s+/g, " ").trim()).filter(Boolean);
}

export async function readFile(file) {
  if (file.size > LIMIT) throw new Error("This file is larger than 20 MB; use the command line for it.");
  const titles = splitTitles(await file.text());
  if (!titles.length) throw new Error("This file holds no titles: it needs one a line, or BibTeX entries.");
  return titles;
}

const looksLikeBibtex = (text) => /^\s*@\s*\w+\s*[{(]/m.test(text);

function bibtexTitles(text) {
  const titles = [];
  for (const field of text.matchAll(/[,\s{]title\s*=\s*/gi)) {
    const value = fieldValue(text, field.index + field[0].length);
    if (value) titles.push(value.replace(/[{}]/g, ""));
  }
  return titles;
}

// The value that starts at `start`: within balanced braces, or within quotes outside of braces.
function fieldValue(text, start) {
  const quoted = text[start] === '"';
  if (!quoted && text[start] !== "{") return "";
  let depth = 0;
  for (let place = start + (quoted ? 1 : 0); place < text.length; place += 1) {
    if (text[place] === "\\") place += 1;
    else if (text[place] === "{") depth += 1;
    else if (text[place] === "}") depth -= 1;
    const closed = quoted ? text[place] === '"' && depth === 0 : depth === 0;
    if (closed) return text.slice(start + 1, place);
  }
  return "";
}
