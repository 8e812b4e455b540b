#!/bin/bash
# Runs its arguments, for tests whose outermost program is not made by a rule, such as a script for Node.js.
exec "$@"
