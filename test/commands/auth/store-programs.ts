import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../src/app.ts";
import { runProgram } from "../../../src/config/token/run-program.ts";
import { clock, signalGroup } from "../../../src/system.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { removeFolder } from "../../helpers/remove-folder.ts";
import { writeProgram } from "../../helpers/write-program.ts";

/** What the stand-in programs do, apart from keeping tokens. */
type Mode = "ok" | "locked" | "echoes" | "hangs" | "prints garbage" | "cuts off" | "forgets" | "prints no id";

export const VAULT_ID = "vaultvaultvaultvaultvault1";
/** The ID of the item that the second run creates. */
export const ITEM_ID = "itemitemitemitemitemite001";

/** Stands in for token stores by their documentation. Records each run's arguments, environment, and stdin. */
const SCRIPT = `#!/bin/sh
PATH=/usr/bin:/bin
program=\${0##*/} n=0
while [ -e "$D/runs/$n.argv" ]; do n=$((n + 1)); done
printf '%s\\n' "$program" "$@" > "$D/runs/$n.argv"
env > "$D/runs/$n.env"
read -r mode < "$D/mode"
say() { printf '%s\\n' "$1" >&2; }
file() {
  rest=$1 name=
  while [ "$rest" != "\${rest#*/}" ]; do name=$name\${rest%%/*}% rest=\${rest#*/}; done
  printf '%s/kept/%s' "$D" "$name$rest"
}
put() {
  [ "$mode" = locked ] && { cat > /dev/null; say "gpg: the keyring is locked"; say "gpg: canceled"; exit 2; }
  [ "$mode" = echoes ] && { say "cannot store: $(cat)"; exit 1; }
  [ "$mode" = forgets ] && { cat > /dev/null; exit 0; }
  [ "$mode" = "cuts off" ] && { head -c 4 > "$(file "$1")"; exit 0; }
  cat > "$(file "$1")"
}
get() {
  [ "$mode" = hangs ] && [ -e "$(file "$1")" ] && exec sleep 600
  [ "$mode" = "prints garbage" ] && [ -e "$(file "$1")" ] && { printf 'Welcome to the keyring\\n'; exit 0; }
  [ -e "$(file "$1")" ] || { [ "$2" ] && say "$2"; exit "$3"; }
  cat "$(file "$1")"
}
drop() { [ -e "$(file "$1")" ] || { [ "$2" ] && say "$2"; exit "$3"; }; rm "$(file "$1")"; }
case "$program $1" in
  "secret-tool store") shift 2; put "$*" ;;
  "secret-tool lookup") shift; get "$*" "" 1 ;;
  "secret-tool clear") shift; drop "$*" "" 1 ;;
  "pass insert") put "$4" ;;
  "pass show") get "$3" "Error: $3 is not in the password store." 1 ;;
  "pass rm") drop "$4" "Error: $4 is not in the password store." 1 ;;
  "vault kv")
    case "$2" in
      put) put "$3 $4" ;;
      get) get "$3 $5" "No value found at $3/data/$5" 2 ;;
      delete) rm -f "$(file "$3 $4")" ;;
    esac ;;
  "op --version") echo 2.30.0 ;;
  "op item")
    id=$(printf 'itemitemitemitemitemite%03d' "$n")
    if [ "$2" = delete ]; then drop "$3" "\\"$3\\" isn't an item" 1; else
      sed 's/.*"label":"relayctl-token","value":"//;s/"},{"id":"relayctl-server.*//;s/\\\\\\(["\\\\]\\)/\\1/g' | tr -d '\\n' | put "$id" || exit
      [ "$mode" = "prints no id" ] && { echo '{"id":"not an id"}'; exit; }
      echo "{\\"id\\":\\"$id\\",\\"title\\":\\"relayctl\\",\\"vault\\":{\\"id\\":\\"${VAULT_ID}\\"}}"
    fi ;;
  "op read") id=\${3#op://*/}; get "\${id%/*}" "\\"x\\" isn't an item" 1 ;;
  "powershell -NoProfile")
    path=$(printf %s "$4" | sed "s/.*-LiteralPath '\\(.*\\)'.*/\\1/")
    case "$4" in
      *Set-Content*) put "$path" ;;
      *Out.Write*) get "$path" "" 3 ;;
      *Remove-Item*) drop "$path" "" 3 ;;
    esac ;;
esac
`;

/** `security`, which reads commands from stdin and splits them into words in its own way. */
const SECURITY = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } = require("node:fs");
const { D } = process.env;
const n = readdirSync(D + "/runs").filter((name) => name.endsWith("argv")).length;
const argv = process.argv.slice(2);
writeFileSync(D + "/runs/" + n + ".argv", ["security", ...argv].join("\\n") + "\\n");
writeFileSync(D + "/runs/" + n + ".env", Object.entries(process.env).map((pair) => pair.join("=")).join("\\n"));
const file = (words) => D + "/kept/" + Buffer.from(words[words.indexOf("-a") + 1] + "\\0" + words[words.indexOf("-s") + 1]).toString("hex").slice(0, 200);
function split(line) {
  const words = [];
  let word, quote, escaped = false;
  for (const character of line) {
    if (escaped) { word += character; escaped = false; }
    else if (word !== undefined && character === "\\\\") escaped = true;
    else if (quote) { if (character === quote) { words.push(word); word = quote = undefined; } else word += character; }
    else if (word === undefined) {
      if (/\\s/.test(character)) continue;
      if (/["']/.test(character)) { quote = character; word = ""; } else word = character;
    } else if (/\\s/.test(character)) { words.push(word); word = undefined; } else word += character;
  }
  return words;
}
if (argv[0] === "-i") {
  const words = split(readFileSync(0, "latin1").slice(0, 4095));
  writeFileSync(file(words), words[words.indexOf("-w") + 1]);
} else if (!existsSync(file(argv))) {
  console.error("security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.");
  process.exit(44);
} else if (argv[0] === "delete-generic-password") rmSync(file(argv));
else console.log(readFileSync(file(argv), "latin1"));
`;

export interface Programs {
  execute: App["execute"];
  /** The words of each run, the program first. */
  runs(): string[][];
  /** Everything that another process could see of the runs. */
  visible(): string;
  kept(): string[];
  setMode(mode: Mode): void;
}

let bin = "";

export function installPrograms(): void {
  beforeAll(() => {
    bin = mkdtempSync(join(tmpdir(), "relayctl-stores-"));
    writeProgram(join(bin, "security"), SECURITY);
    writeProgram(join(bin, "pass"), SCRIPT);
    for (const name of ["secret-tool", "vault", "op", "powershell"]) symlinkSync("pass", join(bin, name));
  });
  afterAll(() => removeFolder(bin));
}

/** Creates stand-ins for the programs. @param missing whether none is installed */
export function storePrograms({ missing = false, interrupt = new AbortController().signal } = {}): Programs {
  const folder = temporaryFolder();
  for (const name of ["runs", "kept"]) mkdirSync(join(folder, name));
  const setMode = (mode: Mode) => writeFileSync(join(folder, "mode"), mode);
  setMode("ok");
  const env = { PATH: missing ? folder : bin, D: folder, RELAYCTL_TOKEN: "hidden" };
  // A program that hangs is ended at once, and no other.
  const patience = (argv: readonly string[]) => ({
    sleep: async (milliseconds: number, signal: AbortSignal) => {
      const isHanging = () => {
        const isHungUp = readFileSync(join(folder, "mode"), "utf8") === "hangs" && argv[1] === "show";
        return isHungUp && readdirSync(join(folder, "kept")).length > 0;
      };
      if (milliseconds < 10_000) return await clock.sleep(milliseconds, signal);
      while (!signal.aborted && !isHanging()) await clock.sleep(5, signal);
    },
  });
  const texts = (ending: string) =>
    readdirSync(join(folder, "runs"))
      .filter((name) => name.endsWith(ending))
      .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
      .map((name) => readFileSync(join(folder, "runs", name), "utf8"));
  const runs = () => texts(".argv").map((text) => text.split("\n").slice(0, -1));
  return {
    execute: (argv, limits) => {
      const ends = limits.lasting ? new AbortController().signal : interrupt;
      return runProgram(argv, limits, { env, clock: patience(argv), interrupt: ends, signalGroup });
    },
    runs,
    visible: () => [...texts(".argv"), ...texts(".env")].join("\n"),
    kept: () =>
      readdirSync(join(folder, "kept")).flatMap((name) => {
        const path = join(folder, "kept", name);
        return existsSync(path) ? [readFileSync(path, "utf8")] : [];
      }),
    setMode,
  };
}
