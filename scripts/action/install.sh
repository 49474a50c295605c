#!/usr/bin/env bash
# Downloads the executable of relayctl for this runner, verifies its checksum, and puts it on the path. All input comes from
# variables; action.yml sets them. Nothing is put on the path, and nothing is exported, unless everything succeeds.
set +ax -euo pipefail

# A copy without export, so that no program that runs here gets the token. A workflow may have exported the same name.
unset token
token=${INPUT_TOKEN-}
unset INPUT_TOKEN

# Prints an error as an annotation. Text of others is in it only without what could begin another command.
fail() {
  printf '::error title=relayctl::%s\n' "$1"
  exit 1
}

# Shows a value in one short line of harmless characters.
shown() {
  local others='[^A-Za-z0-9._:/+ ()-]'
  local text=${1//$others/?}
  printf '"%s"' "${text:0:80}"
}

has_control() {
  [[ $1 == *[[:cntrl:]]* ]]
}

if has_control "$token"; then fail "the token contains a line break or another control character"; fi
if [ -n "$token" ]; then
  # The runner decodes percent signs in commands.
  printf '::add-mask::%s\n' "${token//%/%25}"
fi

version=${INPUT_VERSION:-latest}
version=${version#v}
if [ "$version" != latest ] && ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
  fail "the version has to be \"latest\" or like 1.2.3, not $(shown "$version")"
fi

wanted=${INPUT_SHA256-}
if [ -n "$wanted" ] && ! [[ $wanted =~ ^[0-9a-fA-F]{64}$ ]]; then
  fail "sha256 has to have 64 hexadecimal digits, not $(shown "$wanted")"
fi

server=${INPUT_SERVER-}
context=${INPUT_CONTEXT-}
if has_control "$server" || has_control "$context"; then fail "the server or the context contains a control character"; fi
if [ -n "$server" ] && ! [[ $server =~ ^https?:// ]]; then
  fail "the server has to begin with https://, not $(shown "$server")"
fi

case ${RUNNER_OS-}-${RUNNER_ARCH-} in
  Linux-X64) file=relayctl-linux-x64 ;;
  Linux-ARM64) file=relayctl-linux-arm64 ;;
  macOS-ARM64) file=relayctl-macos-arm64 ;;
  macOS-X64) file=relayctl-macos-x64 ;;
  Windows-X64) file=relayctl-windows-x64.exe ;;
  *) fail "there is no executable for $(shown "${RUNNER_OS-} ${RUNNER_ARCH-}"): install the npm package instead" ;;
esac

# In steps of an action, the runner may leave GITHUB_ACTION_REPOSITORY empty; the folder of an action is OWNER/NAME/REF.
repository=${INPUT_REPOSITORY:-${GITHUB_ACTION_REPOSITORY-}}
if [ -z "$repository" ] && [[ ${GITHUB_ACTION_PATH-} =~ _actions[/\\]([^/\\]+)[/\\]([^/\\]+)[/\\] ]]; then
  repository=${BASH_REMATCH[1]}/${BASH_REMATCH[2]}
fi
if ! [[ $repository =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || [[ $repository =~ (^|/)\.\.?(/|$) ]]; then
  fail "the repository has to be OWNER/NAME, not $(shown "$repository")"
fi

forge=${GITHUB_SERVER_URL:-https://github.com}
scheme=${forge%%:*}
releases=$forge/$repository/releases
work=$(mktemp -d "${RUNNER_TEMP:?}/relayctl-XXXXXX")
trap 'rm -rf "$work"' EXIT

# Downloads $1 of a release into the work folder; $2 is the folder of the release.
download() {
  curl --fail --silent --show-error --location --retry 2 --connect-timeout 20 --max-time 600 \
    --proto "=$scheme" --proto-redir "=$scheme" --output "$work/$1" "$releases/$2/$1" 2> "$work/problem" ||
    fail "$1 of version $version was not downloaded from $(shown "$releases"): $(shown "$(< "$work/problem")")"
}

sha256_of() {
  if command -v sha256sum > /dev/null; then sha256sum < "$1"; else shasum -a 256 < "$1"; fi | cut -c 1-64
}

# Prints the one checksum that SHA256SUMS has for a file.
announced() {
  awk -v file="$1" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS"
}

if [ "$version" = latest ]; then download SHA256SUMS latest/download; else download SHA256SUMS "download/v$version"; fi
released=$(sed -n 's/^[0-9a-f]\{64\} [ *]relayctl-\([0-9A-Za-z.-]*\)\.tgz$/\1/p' "$work/SHA256SUMS")
[[ $released =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "SHA256SUMS of version $version has no version"
[ "$version" = latest ] || [ "$version" = "$released" ] || fail "SHA256SUMS of version $version is of $(shown "$released")"
version=$released

expected=$(announced "$file")
[[ $expected =~ ^[0-9a-f]{64}$ ]] || fail "SHA256SUMS of version $version has no checksum for $file"
download "$file" "download/v$version"
actual=$(sha256_of "$work/$file")
[ "$actual" = "$expected" ] || fail "$file has the checksum $actual, and SHA256SUMS says $expected: nothing was installed"
# Bash 3.2 of macOS has no conversion to lowercase.
if [ -n "$wanted" ] && [ "$actual" != "$(printf '%s' "$wanted" | tr A-F a-f)" ]; then
  fail "$file has the checksum $actual, and the input sha256 is $(shown "$wanted"): nothing was installed"
fi

folder=$RUNNER_TEMP/relayctl-$version
program=$folder/relayctl
case $file in *.exe) program=$program.exe ;; esac
chmod +x "$work/$file"
reported=$("$work/$file" --version) || fail "$file does not run on this machine"
[ "$reported" = "$version" ] || fail "$file is version $(shown "$reported"), not $version"
mkdir -p "$folder"
mv -f "$work/$file" "$program"

printf '%s\n' "$folder" >> "$GITHUB_PATH"
printf 'path=%s\nversion=%s\n' "$program" "$version" >> "$GITHUB_OUTPUT"
if [ -n "$server" ]; then printf 'RELAYCTL_SERVER=%s\n' "$server" >> "$GITHUB_ENV"; fi
if [ -n "$token" ]; then printf 'RELAYCTL_TOKEN=%s\n' "$token" >> "$GITHUB_ENV"; fi
if [ -n "$context" ]; then printf 'RELAYCTL_CONTEXT=%s\n' "$context" >> "$GITHUB_ENV"; fi
echo "relayctl $version: $program"
