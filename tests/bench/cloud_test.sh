#!/bin/bash
# The benchmark runs, and its tables are whole. What the figures are is not a matter for a test.
set -euo pipefail
tables=$("$1" --minutes=0 --starts=1 --simulate=2m)
echo "$tables"
number='[0-9.]+'
grep -qE "^\| Byoshin \| 1 \| 0 \| 0 \| $number \| $number \| $number \|$" <<<"$tables"
grep -qE "^\| with its functions \| $number \| $number \| $number \|$" <<<"$tables"
grep -qE "^\| 2m \| 24 \| 0 \| 0 \| $number \| $number \| $number× \|$" <<<"$tables"
(($(grep -cE "^\| .* \| $number \| $number \| $number× \|$" <<<"$tables") == 7))
# What it can't understand is refused.
if "$1" --minutes=soon 2>/dev/null; then exit 1; fi
