// Which words of two titles differ, for marking them where a person compares the two.

// Words are compared as titles are: case, marks and punctuation make no difference.
const plain = (word) => word.normalize("NFKD").replace(/[^\p{L}\p{N}+#]/gu, "").toLowerCase();

// Returns [word, differs] for each word of both titles, by a longest common subsequence of words.
export function differingWords(cited, recorded) {
  const words = [cited.trim().split(/\s+/), recorded.trim().split(/\s+/)];
  const [left, right] = words.map((title) => title.map(plain));
  const best = Array.from({ length: left.length + 1 }, () => new Array(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      best[i][j] = left[i] === right[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const differs = [left.map(Boolean), right.map(Boolean)];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) {
      differs[0][i] = false;
      differs[1][j] = false;
      i += 1;
      j += 1;
    } else if (best[i + 1][j] >= best[i][j + 1]) i += 1;
    else j += 1;
  }
  return words.map((title, side) => title.map((word, place) => [word, differs[side][place]]));
}
