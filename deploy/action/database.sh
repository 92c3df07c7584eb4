#!/usr/bin/env bash
# Builds the database of the GitHub Action, or brings it up to date. In: SOURCE. If the server does not give the dump, the
# database of an earlier run, from the workflow's cache, is used, with a warning that says how old it is.
set -uo pipefail

citeproof db download --yes "$SOURCE" && exit 0
code=$?
database="${XDG_DATA_HOME:-$HOME/.local/share}/citeproof/dblp.db"
[[ -s "$database" ]] || exit "$code"
newest=$(citeproof db info "$database" --format json | python -I -c '
import json, sys
dated = [source for source in json.load(sys.stdin)["sources"] if source["days_old"] is not None]
newest = min(dated, key=lambda source: source["days_old"], default=None)
print(newest and "{name} of {dump_date}, {days_old} days old".format(**newest) or "of unknown age")
') || exit "$code"
echo "::warning::The database could not be renewed, so the one of an earlier run is used: $newest."
