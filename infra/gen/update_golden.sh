#!/bin/bash
# Makes the generated templates the reviewed ones.
#   update_golden.sh GENERATED GOLDEN [GENERATED GOLDEN...]
set -euo pipefail
while (($# > 0)); do
  golden=${BUILD_WORKSPACE_DIRECTORY:?run this with bazel run}/$2
  install -m 644 "$1" "$golden"
  echo "updated $2"
  shift 2
done
