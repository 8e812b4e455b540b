#!/bin/bash
# The benchmark runs, and its table is whole: no delivery was lost, doubled, out of order or seen in another group. What
# the figures are is not a matter for a test.
set -euo pipefail
table=$("$1" 500ms)
echo "$table"
(($(grep -cE '^\| 40 nodes \| (160|400) \|( [0-9.]+ \|){4}$' <<<"$table") == 2))
