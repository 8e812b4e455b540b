#!/bin/sh
# Makes an archive that names the objects of a library instead of holding them: programs are linked from the objects
# (supports_start_end_lib in clang.BUILD), and nothing reads the archives.
#
#     ar @FILE    where FILE has a line each: rcsD, the archive, the objects
set -eu
# shellcheck disable=SC2046  # Paths that Bazel makes up have no spaces.
exec /usr/bin/ar rcDST $(sed 1d "${1#@}")
