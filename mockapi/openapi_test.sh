#!/bin/bash
# Runs openapi_test.js: NODE SCRIPT NODE_MODULES OPENAPI_YAML SERVER
set -eu
NODE_PATH="$PWD/$3" exec "$1" "$2" "$4" "$5"
