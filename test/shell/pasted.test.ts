import { existsSync } from "node:fs";
import fc from "fast-check";
import { repeatedCommand } from "../../src/command-support/repeated-command.ts";
import { curlRequestText } from "../../src/command-support/request-body/request-text.ts";
import {
  commandLine,
  pasteableWords,
  type Shell,
  shellQuoted,
  shellSpelling,
  shellWord,
  userShell,
} from "../../src/shell/shell-words.ts";
import { anyCharacter } from "../helpers/any-character.ts";
import { cli, TOKEN } from "../helpers/cli.ts";
import { runs } from "../helpers/deep.ts";
import { argvUnder } from "../helpers/shell.ts";

/** The shells that a printed command is pasted into. */
const SHELLS = ["bash", "zsh", "fish", "sh"].map((name) => {
  const path = ["/bin", "/usr/bin", "/usr/local/bin"].map((folder) => `${folder}/${name}`).find(existsSync);
  return { name, path, title: path === undefined ? `${name}, which is not installed` : name };
});

const HOSTILE = [
  "%",
  "=",
  "~",
  "~root",
  "=ls",
  "%self",
  "%1",
  "!",
  "!!",
  "!$",
  "\n",
  "'",
  '"',
  "\\",
  "\\\\",
  "\\'",
  "\\n",
  "é",
  "日本",
  "👨‍👩‍👧",
  "-",
  "--",
  "-n",
  "{}",
  "{a,b}",
  "*",
  "?",
  "[",
  "[a-z]",
  "^",
  "#",
  ";",
  "&",
  "&&",
  "|",
  "<",
  ">",
  "$",
  "$()",
  "$(id)",
  `\${HOME}`,
  "$HOME",
  "$argv",
  "`id`",
  " ",
  "  ",
  "(",
  ")",
  "@",
  "+",
  ",",
  ":",
  "http://[::1]:8080",
  "a=~/x",
  "a==ls",
  "\u0001",
  "\u001b[2J",
  "\u202e",
  "\u200b",
  "\u00a0",
  "\t",
  "\r",
  "\u007f",
  "\u{e0041}",
];
const part = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCharacter }));
const word = fc
  .array(part, { maxLength: 4 })
  .map((parts) => parts.join("").replaceAll("\0", ""))
  .filter((text) => text.isWellFormed());
/** Many at once: what takes time is to start a shell. */
const words = fc.array(word, { minLength: 60, maxLength: 60 });
const RUNS = runs(2, 200);
const secrets = { redact: (text: string) => text } as Parameters<typeof pasteableWords>[1]["secrets"];

/** Words whose spelling is the same in every shell: nothing else expresses a line break at the end of hidden text. */
const isAlike = (text: string) => !text.endsWith("\n");

describe.each(SHELLS)("$title", ({ name, path = "" }) => {
  const env = { SHELL: `/usr/bin/${name}` };
  const shell: Shell = userShell(env);

  test.skipIf(path === "")("gets the words of a printed command, whatever SHELL is", () => {
    const check = (all: readonly string[]) => {
      const tried = all.filter(isAlike);
      const line = ["relayctl", ...tried.map(shellWord)].join(" ");
      expect(argvUnder(path, "relayctl", line)).toEqual(tried);
      const argv = ["tx", "get", ...tried.map((text) => `x${text}`)];
      expect(argvUnder(path, "relayctl", commandLine(...argv))).toEqual(argv);
      const shown = tried.filter((text) => !text.includes("\u001b"));
      expect(argvUnder(path, "relayctl", ["relayctl", ...shown.map(shellQuoted)].join(" "))).toEqual(shown);
    };
    check(["", ...HOSTILE]);
    fc.assert(fc.property(words, check), RUNS);
  });

  test.skipIf(path === "")("gets the words of a command that is written for it", () => {
    const check = (all: readonly string[]) => {
      const tried = all.filter((text) => isAlike(text) || shellSpelling(text, shell) !== undefined);
      // A URL with a password becomes a variable.
      const kept = tried.filter((text) => !/\/\/[^/?#]*@/.test(text));
      const argv = ["tx", "send", ...kept.map((text) => `x${text}`)];
      expect(argvUnder(path, "relayctl", repeatedCommand(argv, [], shell))).toEqual(argv);
      const typed = tried.filter((text) => shellSpelling(text, shell) !== undefined);
      const pasted = pasteableWords(typed, { env, secrets });
      expect("line" in pasted && argvUnder(path, "relayctl", pasted.line)).toEqual(typed);
    };
    check(["", ...HOSTILE]);
    fc.assert(fc.property(words, check), RUNS);
  });

  test.skipIf(path === "")("gets the name of a typed header, and its value from a variable", () => {
    const line = repeatedCommand(["tx", "--header", "`id`$HOME: v", "http://a:b@c"], [], shell);
    const argv = ["tx", "--header", "`id`$HOME: v w", "u"];
    expect(argvUnder(path, "relayctl", line, { HEADER__ID__HOME: "v w", URL: "u" })).toEqual(argv);
  });

  test.skipIf(path === "")(
    "gets the URL, the token, and the body of --curl, and sends nothing without a variable",
    () => {
      const check = (all: readonly string[]) => {
        const name = all.join(" ");
        const secret = `a"b\\\\c\td'e$(id)%!${all[0]?.replaceAll(/[\0-\u001f]/g, "") ?? ""}`;
        const body = { name, config: { type: "plain", key: secret } };
        const request = {
          method: "POST",
          origin: "http://[::1]:8080",
          target: "/api/v1/signers?a=1&b=~",
          body,
        } as const;
        const text = curlRequestText(request, shell);
        const values = { RELAYCTL_TOKEN: `t"o'k$e\\n`, CONFIG_KEY: secret };
        const argv = argvUnder(path, "curl", text, values);
        expect(argv.slice(0, 5)).toEqual([
          "-X",
          "POST",
          "http://[::1]:8080/api/v1/signers?a=1&b=~",
          "-H",
          `Authorization: Bearer ${values.RELAYCTL_TOKEN}`,
        ]);
        expect(JSON.parse(argv.at(-1) ?? "")).toEqual(body);
        let sent: string[] = [];
        try {
          sent = argvUnder(path, "curl", text, { CONFIG_KEY: secret });
        } catch {
          // A shell that stops with an error sends nothing.
        }
        expect(sent).toEqual([]);
      };
      check(HOSTILE);
      fc.assert(fc.property(words, check), RUNS);
    },
  );
});

test.each(["%self", "%1", "=ls", "~", "~root", "a=~"])("%s never stands bare in a printed command", (text) => {
  expect(commandLine("tx", "get", text)).toBe(`relayctl tx get '${text}'`);
  for (const shell of ["bash", "sh", "fish"] as const) expect(shellSpelling(text, shell)).toBe(`'${text}'`);
});

test("--curl is written for fish if SHELL is fish", async () => {
  const ran = await cli("--demo relayers pause eth-main-1 --curl", { env: { SHELL: "/usr/bin/fish" } });
  expect(ran.stdout).toMatch(/^test -n "\$RELAYCTL_TOKEN" && curl -X PATCH /);
  expect(ran.stdout).toContain('-H "Authorization: Bearer $RELAYCTL_TOKEN"');
});

test("hints quote an address of IPv6 and an ID with spaces", async () => {
  const prod = { server: "http://127.0.0.1:1", token: TOKEN };
  const config = { version: 1 as const, contexts: { prod } };
  const foreign = await cli("-c prod --server http://[::1]:8080 relayers list", { env: {}, config });
  expect([foreign.exitCode, foreign.stderr]).toEqual([4, expect.stringContaining("--server 'http://[::1]:8080'\n")]);
  const edited = await cli(["relayers", "edit", "a b*"]);
  expect([edited.exitCode, edited.stderr]).toEqual([3, expect.stringContaining("relayers update 'a b*' --help\n")]);
});
