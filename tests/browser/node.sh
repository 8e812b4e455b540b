#!/bin/bash
# Runs a Node.js script: node.sh NODE SCRIPT ARGUMENTS...
set -euo pipefail
exec "$@"
