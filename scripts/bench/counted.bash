# counted.bash LINE: runs a line and tells descriptor 3 how many lines it printed.
set -o pipefail
relayctl() { node "$PROGRAM" "$@"; }
eval "$1" | wc -l >&3
