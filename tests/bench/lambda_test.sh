#!/bin/bash
# The benchmark runs, and its table is whole. What the figures are is not a matter for a test.
set -euo pipefail
table=$("$1" 1 50ms)
echo "$table"
(($(grep -cE '^\| (sender|collector|status): .* [0-9.]+× \|$' <<<"$table") == 18))
