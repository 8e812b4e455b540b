#!/bin/bash
# boto3 against the local cloud.
#   boto3_test.sh SERVE PYTHON SCRIPT
set -euo pipefail
source tests/conformance/serve.sh

start_serve "$1"
"$PWD/$2" "$3" "$serve_url"
stop_serve
