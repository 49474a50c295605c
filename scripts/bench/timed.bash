# timed.bash LINE: runs a line and throws away what it prints. Descriptor 3 is told how long it took: seconds of CPU
# in user mode and in the kernel, with all that the line started, then microseconds on the wall.
set -o pipefail
relayctl() { node "$RELAYCTL_BIN" "$@"; }
TIMEFORMAT="%3U %3S"

begin=$EPOCHREALTIME
{ time eval "$1" >/dev/null 2>&4; } 4>&2 2>&3
status=$?
end=$EPOCHREALTIME

echo "$((${end/./} - ${begin/./}))" >&3
exit $status
