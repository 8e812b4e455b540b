#!/bin/bash
# Runs a Python program of this folder with the machine's own Python, as the repository rules do.
set -euo pipefail
python=/usr/bin/python3
[[ -x $python ]] || python=python3
exec "$python" -B "$@"
