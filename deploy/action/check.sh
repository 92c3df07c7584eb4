#!/usr/bin/env bash
# What the GitHub Action does once it has a database: three reports of the same verdicts.
# In: FILES and OPTIONS, one a line; CITEPROOF_* settings. Out: annotations on standard output, the summary of the step,
# the outputs exit-code and sarif. Ends with the exit code of `citeproof verify`.
set -uo pipefail

arguments=(--require-database)
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [[ -n "$line" ]] && arguments+=("$line")
done <<< "${OPTIONS:-}
--
${FILES:-}"

sarif="${RUNNER_TEMP:-.}/citeproof.sarif"
summary="${RUNNER_TEMP:-.}/citeproof.md"

citeproof verify --format github "${arguments[@]}"
code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
if [[ $code -ne 2 ]]; then
  citeproof verify --format sarif --output "$sarif" --quiet "${arguments[@]}"
  citeproof verify --format markdown --output "$summary" "${arguments[@]}" 2> /dev/null
  [[ -s "$sarif" ]] && echo "sarif=$sarif" >> "$GITHUB_OUTPUT"
  # GitHub drops a summary of more than a mebibyte.
  [[ -s "$summary" ]] && head -c 1000000 "$summary" >> "$GITHUB_STEP_SUMMARY"
fi
exit $code
