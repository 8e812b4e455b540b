#!/bin/bash
# The generated templates are the ones that were last reviewed.
#   golden_test.sh GENERATED GOLDEN [GENERATED GOLDEN...]
set -euo pipefail
while (($# > 0)); do
  if ! diff -u "$2" "$1"; then
    echo
    echo "The template has changed, as shown above. If that is what you want:"
    echo "  ./bazelw run //infra/gen:update_golden"
    exit 1
  fi
  shift 2
done
