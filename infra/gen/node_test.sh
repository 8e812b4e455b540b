#!/bin/bash
# Runs a Node.js script with the pinned packages.
#   node_test.sh NODE NODE_MODULES [NODE_OPTION...] SCRIPT ARGUMENTS...
set -euo pipefail
node=$1
export NODE_PATH=$PWD/$2
shift 2
exec "$node" "$@"
