#!/bin/bash
# The generated template is the one that was last reviewed.
#   golden_test.sh GENERATED GOLDEN
set -euo pipefail
if ! diff -u "$2" "$1"; then
  echo
  echo "The template has changed, as shown above. If that is what you want:"
  echo "  ./bazelw run //infra/gen:update_golden"
  exit 1
fi
