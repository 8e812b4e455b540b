#!/bin/sh
# The AWS CLI.
root=${0%/*}
exec "$root/python.sh" "$root/usr/bin/aws" "$@"
