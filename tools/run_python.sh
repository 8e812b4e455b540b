#!/bin/bash
# Runs a Python program with the Python that the repository rules use: the system's, not one that comes first in PATH.
set -euo pipefail
python=/usr/bin/python3
[[ -x $python ]] || python=python3
exec "$python" -B "$@"
