#!/bin/bash
# bazelw on machines that have everything, lack something, or can't be helped: each made of a PATH
# with stand-ins for the commands it would find there.
set -euo pipefail
bazelw=$(readlink -f "$1")
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

expect() { # expect TEXT IN WHAT
  grep -qF -- "$1" "$2" || fail "$3: expected '$1' in: $(cat "$2")"
}

# A machine with nothing but the shell and coreutils.
new_machine() {
  machine=$(mktemp -d)
  mkdir "$machine/bin"
  for command in bash cat chmod cp dirname env grep mktemp readlink rm tail; do
    ln -s "$(type -P "$command")" "$machine/bin/$command"
  done
}

add_command() { # add_command NAME SCRIPT
  printf '#!/bin/bash\n%s\n' "$2" >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

add_toolchain() {
  for command in g++ npm dpkg-source python3 xz; do add_command "$command" true; done
}

bazel_script() { # bazel_script VERSION
  echo 'if [[ $1 == --version ]]; then echo "bazel '"$1"'"; else echo "ran '"$1"': $*"; fi'
}

run() {
  status=0
  PATH="$machine/bin" "$machine/bin/bash" "$bazelw" "$@" >"$machine/out" 2>"$machine/err" || status=$?
}

# Everything is there: Bazel runs with the arguments as given, and nothing is said.
for version in no_version 4.2.3 7.7.1; do
  new_machine
  add_toolchain
  add_command bazel "$(bazel_script "$version")"
  run test "//a b" --flag
  [[ $status == 0 ]] || fail "version $version: exit code $status"
  expect "ran $version: test //a b --flag" "$machine/out" "version $version"
  [[ ! -s $machine/err ]] || fail "version $version: not quiet: $(cat "$machine/err")"
done

# The exit code is Bazel's.
new_machine
add_toolchain
add_command bazel 'if [[ $1 == --version ]]; then echo "bazel 7.7.1"; else exit 3; fi'
run test //...
[[ $status == 3 ]] || fail "exit code of Bazel: $status"

# An unsuitable Bazel is passed over for Bazelisk.
new_machine
add_toolchain
add_command bazel "$(bazel_script 6.0.0)"
add_command bazelisk "$(bazel_script 7.7.1)"
run build
expect "ran 7.7.1: build" "$machine/out" "unsuitable Bazel"

# Neither Bazel nor apt-get: says how to get it.
new_machine
add_toolchain
run test //...
[[ $status == 1 ]] || fail "no apt-get: exit code $status"
expect "Bazelisk" "$machine/err" "no apt-get"

# Root or sudo, whichever the test has; apt-get records its calls and "installs" Bazel.
new_machine
add_command apt-get "echo \"\$*\" >>$machine/calls; cp $machine/bazel.new $machine/bin/bazel"
add_command sudo '"$@"'
printf '#!/bin/bash\n%s\n' "$(bazel_script no_version)" >"$machine/bazel.new"
chmod +x "$machine/bazel.new"
add_command g++ true
add_command python3 true
run test //...
[[ $status == 0 ]] || fail "install: exit code $status: $(cat "$machine/err")"
expect "installing bazel-bootstrap: " "$machine/err" "install"
expect "installing npm: " "$machine/err" "install"
expect "install bazel-bootstrap npm dpkg-dev xz-utils" "$machine/calls" "exactly what is missing"
expect "ran no_version: test //..." "$machine/out" "install"

# A failed installation shows apt-get's words.
new_machine
add_toolchain
add_command apt-get 'echo "E: no such mirror"; exit 100'
add_command sudo '"$@"'
run test //...
[[ $status == 1 ]] || fail "failed install: exit code $status"
expect "E: no such mirror" "$machine/err" "failed install"
expect "could not install: bazel-bootstrap" "$machine/err" "failed install"

if ((EUID != 0)); then
  new_machine
  add_toolchain
  add_command apt-get true
  run test //...
  [[ $status == 1 ]] || fail "no sudo: exit code $status"
  expect "without root or sudo" "$machine/err" "no sudo"
fi

((failures == 0)) && echo "All passed."
exit "$((failures > 0))"
