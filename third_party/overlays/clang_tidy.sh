#!/bin/sh
# clang-tidy, with the libraries of its own repository.
root=${0%/*}
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu exec "$root/usr/lib/llvm-19/bin/clang-tidy" "$@"
