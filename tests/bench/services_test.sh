#!/bin/bash
# The benchmark runs, and its tables are whole. What the figures are is not a matter for a test.
set -euo pipefail
tables=$("$1" 20ms 1)
echo "$tables"
(($(grep -cE '^\| .* [0-9.]+× \|$' <<<"$tables") == 10))
grep -qE '^\| SendMessage, FIFO \| [0-9]+ \| [0-9]+ ' <<<"$tables"
grep -qE '^\| Send, Receive, Delete, FIFO \| [0-9]+ \| [0-9]+ ' <<<"$tables"
(($(grep -cE '^\| (Byoshin|dynalite|sqslite) \|( [0-9.]+ \|){3}$' <<<"$tables") == 3))
