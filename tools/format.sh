#!/bin/bash
# Formats the C++ and Bazel files that git knows, or with --check says which are not formatted, and which C++ files
# use what they do not include.
set -euo pipefail
clang_format=$(readlink -f "$1")
buildifier=$(readlink -f "$2")
shift 2
cd "${BUILD_WORKSPACE_DIRECTORY:?run this with bazel run}"

mapfile -t cpp < <(git ls-files -co --exclude-standard -- '*.cc' '*.h')
mapfile -t bazel < <(git ls-files -co --exclude-standard -- \
  '*.bzl' '*.BUILD' '*.bazel' BUILD '*/BUILD' WORKSPACE)

# Overlays and third_party/bazel serve Bazel 4.2.3 alone, where these are built in; sh_* are in Bazel 7 too.
warnings=()
for rule in cc-binary cc-common cc-info cc-library cc-proto cc-test proto proto-lang-toolchain sh-binary sh-test; do
  warnings+=("-native-$rule")
done
python=/usr/bin/python3
[[ -x $python ]] || python=python3
lint=(-warnings="$(IFS=,; echo "${warnings[*]}")")

if [[ ${1:-} == --check ]]; then
  failed=0
  "$clang_format" --dry-run --Werror "${cpp[@]}" || failed=1
  printf '%s\0' "${cpp[@]}" | grep -zv '^third_party/overlays/' | xargs -0 "$python" -B tools/includes.py || failed=1
  "$buildifier" -mode=check -lint=warn "${lint[@]}" "${bazel[@]}" || failed=1
  if ((failed)); then
    echo "Not as it should be; ./bazelw run //tools:format mends what it can." >&2
  fi
  exit "$failed"
fi
"$clang_format" -i "${cpp[@]}"
"$buildifier" -lint=fix "${lint[@]}" "${bazel[@]}"
