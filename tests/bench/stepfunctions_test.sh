#!/bin/bash
# The benchmark runs, and its tables are whole. What the figures are is not a matter for a test.
set -euo pipefail
tables=$("$1" 20ms 10)
echo "$tables"
(($(grep -cE '^\| .* [0-9.]+× \|$' <<<"$tables") == 4))
(($(grep -cE '^\| [^|]+ \| (1|32) \|( [0-9.]+ \|){5}$' <<<"$tables") == 4))
(($(grep -cE '^\| (Byoshin|aws-local-stepfunctions) \| 10 \|( -?[0-9.]+ \|){3}$' <<<"$tables") == 2))
