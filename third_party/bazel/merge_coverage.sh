#!/bin/bash
# Replaces Bazel's coverage tools, which it would download: joins the reports in --coverage_dir.
set -euo pipefail
for argument in "$@"; do
  case $argument in
    --coverage_dir=*) folder=${argument#*=} ;;
    --output_file=*) output=${argument#*=} ;;
  esac
done
[[ -n ${output:-} ]] || exit 0
find "${folder:-.}" -type f -name '*.dat' -print0 | sort -z | xargs -0 -r cat >"$output"
