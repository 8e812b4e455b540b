#!/bin/bash
# bazelw on machines that have everything, lack something, or can't be helped: each made of a PATH
# with stand-ins for the commands it would find there.
set -euo pipefail
bazelw=$(readlink -f "$1")
failures=0
# Debian, whatever the test runs on.
BYOSHIN_OS_RELEASE=$(mktemp)
export BYOSHIN_OS_RELEASE
echo 'ID=debian' >"$BYOSHIN_OS_RELEASE"

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

expect_not() { # expect_not TEXT IN WHAT
  ! grep -qF -- "$1" "$2" || fail "$3: did not expect '$1' in: $(cat "$2")"
}

expect() { # expect TEXT IN WHAT
  grep -qF -- "$1" "$2" || fail "$3: expected '$1' in: $(cat "$2")"
}

# A machine with nothing but the shell and coreutils. Copied from the first: as many processes to make each of them as
# it has commands would be most of what this test does.
new_machine() {
  machine=$(mktemp -d)
  cp -R "$first_machine/bin" "$machine/bin"
}

add_command() { # add_command NAME SCRIPT
  rm -f "$machine/bin/$1" # perhaps a link to the real one
  printf '#!/bin/bash\n%s\n' "$2" >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

add_toolchain() { cp -P "$toolchain"/bin/* "$machine/bin"; }

machine=$(mktemp -d)
mkdir "$machine/bin"
commands=$(type -P bash cat chmod cp dirname env grep mktemp nproc readlink rm tail)
# shellcheck disable=SC2086 # words
ln -s $commands "$machine/bin"
add_command uname 'echo x86_64'
first_machine=$machine

machine=$(mktemp -d)
mkdir "$machine/bin"
for command in g++ npm dpkg-source python3 xz; do add_command "$command" true; done
toolchain=$machine

bazel_script() { # bazel_script VERSION
  echo 'if [[ $1 == --version ]]; then echo "bazel '"$1"'"; else echo "ran '"$1"': $*"; fi'
}

run() {
  status=0
  PATH="$machine/bin" "$machine/bin/bash" "$bazelw" "$@" >"$machine/out" 2>"$machine/err" || status=$?
}

# Everything is there: Bazel runs with the arguments as given, and nothing is said.
for version in no_version 4.2.3 7.7.1 8.7.0; do
  new_machine
  add_toolchain
  add_command bazel "$(bazel_script "$version")"
  run test "//a b" --flag
  [[ $status == 0 ]] || fail "version $version: exit code $status"
  expect "ran $version: test //a b --flag" "$machine/out" "version $version"
  [[ ! -s $machine/err ]] || fail "version $version: not quiet: $(cat "$machine/err")"
done

# Where there is room in memory, sandboxes are made there; nowhere else.
with_memory() { # with_memory MOUNT_OPTIONS FREE_KIB AVAILABLE_KIB LIMIT [ARGUMENT]: what bazelw then runs, in $machine/out
  new_machine
  add_toolchain
  add_command bazel "$(bazel_script 7.7.1)"
  add_command df "printf 'Avail\n%s\n' $2"
  add_command nproc 'echo 2'
  mkdir "$machine/proc" "$machine/cgroup"
  echo "$4" >"$machine/cgroup/memory.max"
  echo "tmpfs /dev/shm tmpfs $1 0 0" >"$machine/proc/mounts"
  printf 'MemTotal: 1 kB\nMemAvailable: %s kB\n' "$3" >"$machine/proc/meminfo"
  BYOSHIN_PROC=$machine/proc BYOSHIN_CGROUP=$machine/cgroup run "${5:-test}" //...
}
plenty=$((8 << 20))
little=$((1 << 20))
rc=$(dirname "$bazelw")/tools/sandbox_in_memory.bazelrc
[[ -f $rc ]] || fail "there is no $rc"
if [[ -w /dev/shm ]]; then
  for limit in max "$((plenty << 10))"; do
    with_memory rw,nosuid,nodev "$plenty" "$plenty" "$limit"
    expect "ran 7.7.1: --bazelrc=$rc test //..." "$machine/out" "room in memory"
  done
  # More processors need more.
  with_memory rw "$plenty" "$plenty" max
  add_command nproc 'echo 16'
  BYOSHIN_PROC=$machine/proc run test //...
  expect "ran 7.7.1: test //..." "$machine/out" "not enough for many processors"
fi
for why in "rw,noexec $plenty $plenty max" "ro $plenty $plenty max" "rw $little $plenty max" "rw $plenty $little max" \
  "rw $plenty $plenty $((little << 10))"; do
  # shellcheck disable=SC2086 # words
  with_memory $why
  expect "ran 7.7.1: test //..." "$machine/out" "no room in memory: $why"
  [[ ! -s $machine/err ]] || fail "no room in memory: $why: not quiet: $(cat "$machine/err")"
done
with_memory rw "$plenty" "$plenty" max --strict
expect "ran 7.7.1: --strict //..." "$machine/out" "what must come first"
new_machine
add_toolchain
add_command bazel "$(bazel_script 7.7.1)"
BYOSHIN_PROC=$machine/no_such_folder run test //...
expect "ran 7.7.1: test //..." "$machine/out" "no /proc"
[[ ! -s $machine/err ]] || fail "no /proc: not quiet: $(cat "$machine/err")"

# The exit code is Bazel's.
new_machine
add_toolchain
add_command bazel 'if [[ $1 == --version ]]; then echo "bazel 7.7.1"; else exit 3; fi'
run test //...
[[ $status == 3 ]] || fail "exit code of Bazel: $status"

# An unsuitable Bazel is passed over for Bazelisk.
for version in 6.0.0 9.2.0; do
  new_machine
  add_toolchain
  add_command bazel "$(bazel_script "$version")"
  add_command bazelisk "$(bazel_script 7.7.1)"
  run build
  expect "ran 7.7.1: build" "$machine/out" "unsuitable Bazel $version"
done

# Bazelisk looks for .bazeliskrc where it is run: in the project, wherever bazelw is called from.
new_machine
add_toolchain
mkdir "$machine/project"
cp "$bazelw" "$machine/project/bazelw"
touch "$machine/project/.bazeliskrc"
add_command bazel 'version=9.0.0; [[ -f .bazeliskrc ]] && version=7.7.1
if [[ $1 == --version ]]; then echo "bazel $version"; else echo "ran $version: $*"; fi'
(cd "$machine" && bazelw=$machine/project/bazelw run build)
expect "ran 7.7.1: build" "$machine/out" "called from another folder"

# Another processor: says so, and goes no further.
new_machine
add_toolchain
add_command bazel "$(bazel_script 7.7.1)"
add_command uname 'echo aarch64'
run test //...
[[ $status == 1 ]] || fail "another processor: exit code $status"
expect "x86-64 alone, and this machine is aarch64" "$machine/err" "another processor"
expect_not "ran" "$machine/out" "another processor"

# Neither Bazel nor apt-get: says how to get it.
new_machine
add_toolchain
run test //...
[[ $status == 1 ]] || fail "no apt-get: exit code $status"
expect "Bazelisk" "$machine/err" "no apt-get"

# Bazel, but neither npm nor apt-get: says what is missing, which is not Bazel.
new_machine
add_toolchain
add_command bazel "$(bazel_script 7.7.1)"
rm "$machine/bin/npm"
run test //...
[[ $status == 1 ]] || fail "no npm: exit code $status"
expect "install what is missing and run this again: npm" "$machine/err" "no npm"
expect_not "Bazel" "$machine/err" "no npm"

# Ubuntu, whose own Bazel would find no Debian mirror: says so before it installs anything.
for id in 'ID=ubuntu' 'ID=linuxmint
ID_LIKE="ubuntu debian"'; do
  new_machine
  add_toolchain
  rm "$machine/bin/npm"
  add_command apt-get "echo called >>$machine/calls"
  add_command sudo '"$@"'
  echo "$id" >"$machine/os-release"
  BYOSHIN_OS_RELEASE=$machine/os-release run test //...
  [[ $status == 1 ]] || fail "$id: exit code $status"
  expect "npm and Bazelisk (npm install --global @bazel/bazelisk)" "$machine/err" "$id"
  [[ $(wc -l <"$machine/err") == 1 ]] || fail "$id: more than a line: $(cat "$machine/err")"
  [[ ! -e $machine/calls ]] || fail "$id: apt-get was called"
done

# With Bazelisk there, the rest is installed on Ubuntu too.
add_command bazel "$(bazel_script 7.7.1)"
BYOSHIN_OS_RELEASE=$machine/os-release run test //...
expect "installing npm: " "$machine/err" "Ubuntu with Bazelisk"
expect "ran 7.7.1: test //..." "$machine/out" "Ubuntu with Bazelisk"

# Fuzzing in registry mode, without clang: it is installed, and then libFuzzer of the version that it turns out to be.
for config in --config=fuzz "--config fuzz"; do
  new_machine
  add_toolchain
  add_command bazel "$(bazel_script 7.7.1)"
  add_command clang.new "if [[ \$1 == -dumpversion ]]; then echo 19.1.7; else echo $machine/clang; fi"
  add_command apt-get "
    echo \"\$*\" >>$machine/calls
    [[ \$* != *clang* ]] || cp $machine/bin/clang.new $machine/bin/clang"
  add_command sudo '"$@"'
  read -ra words <<<"$config"
  run run "${words[@]}" //a_fuzzer
  expect "install clang" "$machine/calls" "$config"
  expect "install libclang-rt-19-dev" "$machine/calls" "$config"
  expect "ran 7.7.1: run $config //a_fuzzer" "$machine/out" "$config"

  # With both there, nothing more.
  mkdir -p "$machine/clang/lib/linux"
  touch "$machine/clang/lib/linux/libclang_rt.fuzzer-x86_64.a"
  rm "$machine/calls"
  run run "${words[@]}" //a_fuzzer
  [[ ! -e $machine/calls ]] || fail "$config: installed again: $(cat "$machine/calls")"
  [[ ! -s $machine/err ]] || fail "$config: not quiet: $(cat "$machine/err")"
done

# In archive mode, clang is not the machine's.
new_machine
add_toolchain
add_command bazel "$(bazel_script no_version)"
run run --config=fuzz //a_fuzzer
expect "ran no_version: run --config=fuzz //a_fuzzer" "$machine/out" "fuzzing in archive mode"
[[ ! -s $machine/err ]] || fail "fuzzing in archive mode: not quiet: $(cat "$machine/err")"

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
