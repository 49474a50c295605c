# counted.bash LINE: runs a line and tells descriptor 3 how many lines it printed.
set -o pipefail
relayctl() { node "$RELAYCTL_BIN" "$@"; }
eval "$1" | wc -l >&3
