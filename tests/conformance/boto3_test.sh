#!/bin/bash
# boto3 against the local cloud, where Debian's python3-boto3 is installed.
#   boto3_test.sh SERVE SCRIPT
set -euo pipefail
source tests/conformance/serve.sh

if ! /usr/bin/python3 -c 'import boto3' 2>/dev/null; then
  echo "LEFT OUT: /usr/bin/python3 has no boto3 here (Debian: python3-boto3)"
  exit 0
fi
start_serve "$1"
/usr/bin/python3 "$2" "$serve_url"
stop_serve
