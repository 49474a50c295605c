# timed.bash LINE TIMES: runs a line so many times and throws away what it prints. Descriptor 3 is told how long that
# took: seconds of CPU in user mode and in the kernel, with all that the line started, then microseconds on the wall.
set -o pipefail
relayctl() { node "$PROGRAM" "$@"; }
repeated() {
  local run
  for ((run = 0; run < $2; run++)); do
    eval "$1" || return
  done
}
TIMEFORMAT="%3U %3S"

begin=$EPOCHREALTIME
{ time repeated "$1" "$2" >/dev/null 2>&4; } 4>&2 2>&3
status=$?
end=$EPOCHREALTIME

echo "$((${end/./} - ${begin/./}))" >&3
exit $status
