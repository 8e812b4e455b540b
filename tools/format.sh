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

mapfile -t outside < <(printf '%s\n' "${bazel[@]}" | grep '^third_party/')
mapfile -t own < <(printf '%s\n' "${bazel[@]}" | grep -v '^third_party/')

# A BUILD file of ours loads the C++ rules it uses from @rules_cc//cc:defs.bzl, or it would not get those of archive
# mode. That is checked and not mended: buildifier would load them from elsewhere. What is in third_party serves
# Bazel 4.2.3 alone, where all of these are built in; sh_* are in Bazel 7 too.
no_shell=-native-sh-binary,-native-sh-test
no_native=$no_shell$(printf ',-native-%s' cc-binary cc-common cc-info cc-library cc-proto cc-test cc-toolchain cc-toolchain-suite proto proto-info)
python=/usr/bin/python3
[[ -x $python ]] || python=python3

if [[ ${1:-} == --check ]]; then
  failed=0
  "$clang_format" --dry-run --Werror "${cpp[@]}" || failed=1
  printf '%s\0' "${cpp[@]}" | grep -zv '^third_party/overlays/' | xargs -0 "$python" -B tools/includes.py || failed=1
  "$buildifier" -mode=check -lint=warn -warnings="$no_shell" "${own[@]}" || failed=1
  "$buildifier" -mode=check -lint=warn -warnings="$no_native" "${outside[@]}" || failed=1
  if ((failed)); then
    echo "Not as it should be; ./bazelw run //tools:format mends what it can." >&2
  fi
  exit "$failed"
fi
"$clang_format" -i "${cpp[@]}"
"$buildifier" -lint=fix -warnings="$no_native" "${bazel[@]}"
