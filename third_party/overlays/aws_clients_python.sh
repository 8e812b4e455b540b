#!/bin/sh
# Python of this repository, for tests: with its packages and libraries, and none of the machine's but libc.
root=${0%/*}
libraries=$root/usr/lib/x86_64-linux-gnu
export PYTHONHOME="$root/usr" PYTHONPATH="$root/usr/lib/python3/dist-packages"
export LD_LIBRARY_PATH="$root/lib/x86_64-linux-gnu:$libraries"
export OPENSSL_CONF=/dev/null OPENSSL_MODULES="$libraries/ossl-modules"
# Modules are compiled once per test, not at each start.
export PYTHONPYCACHEPREFIX="${TEST_TMPDIR:?}/python_cache"
exec "$root/usr/bin/python3.11" -S "$@"
