# The local cloud for tests in shell: start_serve PROGRAM sets serve_url, stop_serve ends it. To be sourced.

start_serve() {
  local log=$TEST_TMPDIR/serve.log
  "$1" --port=0 --in-memory >"$log" 2>&1 &
  serve_pid=$!
  trap 'kill -KILL "$serve_pid" 2>/dev/null || true' EXIT
  until serve_url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*' "$log"); do
    if ! kill -0 "$serve_pid" 2>/dev/null; then
      cat "$log"
      return 1
    fi
  done
}

stop_serve() {
  kill -TERM "$serve_pid"
  wait "$serve_pid"
  trap - EXIT
}
