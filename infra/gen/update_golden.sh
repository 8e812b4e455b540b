#!/bin/bash
# Makes the generated template the reviewed one.
#   update_golden.sh GENERATED GOLDEN
set -euo pipefail
golden=${BUILD_WORKSPACE_DIRECTORY:?run this with bazel run}/$2
install -m 644 "$1" "$golden"
echo "updated $2"
