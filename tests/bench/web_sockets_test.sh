#!/bin/bash
# The benchmark runs, and its tables are whole. What the figures are is not a matter for a test.
set -euo pipefail
tables=$("$1" 50 2)
echo "$tables"
(($(grep -cE '^\| 50 \|( [0-9.]+ \|){3}$' <<<"$tables") == 1))
(($(grep -cE '^\| (1|40|50) \|( [0-9.]+ \|){2}$' <<<"$tables") == 3))
