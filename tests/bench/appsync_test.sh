#!/bin/bash
# The benchmark runs, and its tables are whole: no delivery was lost, doubled or out of order. What the figures are is
# not a matter for a test.
set -euo pipefail
tables=$("$1" 200ms 50)
echo "$tables"
(($(grep -cE '^\| (no data source|DynamoDB|1|40|400|10|20|50|40 nodes) \|( -?[0-9.]+ \|)+ ?\|?$' <<<"$tables") == 13))
