// One answer as a row of the list; the markup is the page's own template, the rules are those of result_row.py.
import { differingWords } from "./differences.js";

export const KINDS = { found: "Found", near: "Near", missing: "Not found", failed: "Error" };
const NEAR = 0.7; // below this a nearest title explains nothing
const NOTES = {
  doi: "The work with this DOI.",
  arxiv_id: "The work with this arXiv id.",
  main_title: "The same title but for a subtitle.",
  same_words: "The same words in another order.",
};
const INDEXES = { title_index: "Title index", word_index: "Word index", "": "Every title" };

// A title that reaches the threshold with other words is near, not found: one word may make it another work.
export function kindOf(item) {
  if (item.error) return "failed";
  const match = matchOf(item);
  if (!match) return "missing";
  if (isIdentified(match)) return "found";
  const differs = differingWords(item.query_title, match.title).flat().some(([, other]) => other);
  return item.found && !differs ? "found" : "near";
}

export function matchOf(item) {
  if (item.found) return item;
  if (item.related?.length) return item.related[0];
  return item.nearest?.similarity >= NEAR ? item.nearest : null;
}

export function proofOf(item) {
  if (item.error) return item.error;
  const count = item.candidates_examined;
  const how = `${INDEXES[item.index_used] ?? item.index_used}, ${count.toLocaleString("en")} compared, ${item.duration_ms.toFixed(1)} ms.`;
  if (item.found || isIdentified(matchOf(item))) return how;
  const proof = item.complete ? "Proved: no title in the database is close enough." : "Not proved: the search was cut short or the index cannot tell.";
  return `${proof} ${how}`;
}

const isIdentified = (match) => match?.match === "doi" || match?.match === "arxiv_id";

export function renderItem(item) {
  const row = document.getElementById("result").content.firstElementChild.cloneNode(true);
  const slot = (name) => row.querySelector(`.${name}`);
  const kind = kindOf(item);
  const match = matchOf(item);
  row.dataset.kind = kind;
  slot("badge").textContent = KINDS[kind];
  slot("proof").textContent = proofOf(item);
  slot("match").hidden = !match;
  if (!match) {
    slot("query").textContent = item.query_title;
    return row;
  }
  if (isIdentified(match)) {
    slot("query").textContent = item.query_title;
    slot("matched").textContent = match.title;
  } else {
    const [cited, recorded] = differingWords(item.query_title, match.title);
    slot("query").append(...marked(cited));
    slot("matched").append(...marked(recorded));
  }
  if (match.similarity) slot("percent").textContent = `${(100 * match.similarity).toFixed(1)} %`;
  slot("note").textContent = NOTES[match.match] ?? "";
  showFurther(slot("further"), item);
  slot("authors").textContent = match.authors.join(", ");
  slot("place").textContent = [match.venue, match.year, match.pub_type].filter(Boolean).join(" · ");
  if (match.retraction) slot("warning").textContent = "This work was retracted.";
  else if (match.concern) slot("warning").textContent = "An expression of concern was published about this work.";
  if (/^https?:\/\//.test(match.url)) slot("link").append(link(match.url));
  return row;
}

// The records beside the one that is shown; of thousands with one title the service sends a hundred.
function showFurther(details, item) {
  const shown = item.found ? item.others : item.related?.slice(1) ?? [];
  const count = item.found ? item.total - 1 : shown.length;
  details.hidden = !shown.length;
  const cut = count > shown.length ? `, ${shown.length} of them shown` : "";
  details.querySelector("summary").textContent = `${count.toLocaleString("en")} further record${count === 1 ? "" : "s"}${cut}`;
  details.querySelector("ol").replaceChildren(...shown.map((record) => {
    const row = document.createElement("li");
    const place = document.createElement("span");
    place.className = "place";
    place.textContent = [record.authors.join(", "), record.venue, record.year].filter(Boolean).join(" · ");
    row.append(record.title, " ", place);
    return row;
  }));
}

function marked(words) {
  return words.flatMap(([word, differs], place) => {
    const node = document.createElement(differs ? "mark" : "span");
    node.textContent = word;
    return place ? [" ", node] : [node];
  });
}

function link(address) {
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.rel = "noreferrer";
  anchor.textContent = address;
  return anchor;
}
