import { CANARY_KEY, CANARY_TOKEN, type Captured, faultsOf, secretsIn } from "./scan.ts";

function base64At(before: number, secret: string): string {
  return Buffer.from(`${"x".repeat(before)}${secret}yyy`).toString("base64");
}

const SPELLINGS: readonly [string, (secret: string) => string][] = [
  ["unchanged", (secret) => `token ${secret}.`],
  ["in uppercase", (secret) => secret.toUpperCase()],
  ["in base64", (secret) => base64At(0, secret)],
  ["in base64, shifted by one byte", (secret) => base64At(1, secret)],
  ["in base64, shifted by two bytes", (secret) => base64At(2, secret)],
  ["in base64url", (secret) => Buffer.from(`??>${secret}`).toString("base64url")],
  ["percent-encoded", (secret) => secret.replace(/[^a-z]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)],
  ["completely percent-encoded", (secret) => [...secret].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("")],
  ["in hex", (secret) => `0x${Buffer.from(secret).toString("hex")}`],
  ["in hex, shifted by half a byte", (secret) => `a${Buffer.from(secret).toString("hex").toUpperCase()}`],
  ["escaped as in JSON", (secret) => secret.replaceAll("-", "\\u002d")],
  ["in the escapes of relayctl", (secret) => secret.replaceAll("-", "\\u{2d}")],
  ["cut", (secret) => `${secret.slice(4, 22)}…`],
];

describe("the scan finds", () => {
  test.each(SPELLINGS)("a secret %s", (_, spelled) => {
    expect(secretsIn(`before ${spelled(CANARY_TOKEN)} after`)).toEqual(["the token"]);
    expect(secretsIn(`before ${spelled(CANARY_KEY)} after`)).toEqual(["the signing key"]);
  });

  test.each<[string, Partial<Captured>, string]>([
    ["a stack trace", { stderr: "Error: x\n    at run (/a/b.js:1:2)\n" }, "stderr holds a stack trace"],
    ["a Node warning", { stderr: "(node:12) Warning: x\n" }, "stderr holds a warning of Node's"],
    ["a bug", { stderr: "error: a bug in relayctl: TypeError\n", exitCode: 1 }, "stderr tells of a bug"],
    ["an escape sequence in a pipe", { stdout: "\u001b[31mred" }, "stdout holds U+001b"],
    ["a bell on stderr", { stderr: "\u0007" }, "stderr holds U+0007"],
    ["a lone CR", { stdout: "a\rb\n" }, "stdout holds U+000d"],
    ["a right-to-left override on stderr", { stderr: "\u202etxt" }, "stderr holds U+202e"],
    [
      "a link to what is not a page",
      { stdout: "\u001b]8;;file:///etc/passwd\u001b\\x\u001b]8;;\u001b\\", terminal: true },
      "stdout holds U+001b",
    ],
    ["a window title on a terminal", { stdout: "\u001b]0;x\u0007", terminal: true }, "stdout holds U+001b"],
    [
      "a notification with a title",
      { stderr: "\u0007\u001b]9;relayctl: tx wait: \u001b]0;x\u001b\\", terminal: true },
      "stderr holds U+0007",
    ],
    ["a notification in a pipe", { stderr: "\u0007\u001b]9;relayctl: tx wait: done\u001b\\" }, "stderr holds U+0007"],
    ["an undocumented exit code", { exitCode: 42 }, "exit code 42 is not documented"],
  ])("%s", (_, captured, fault) => {
    expect(faultsOf({ command: "relayers list", stdout: "", stderr: "", ...captured })).toContain(fault);
  });
});

test.each<Partial<Captured>>([
  { stdout: "a\tb\nc\td\n" },
  { stdout: "a,b\r\n" },
  { stdout: "\u001b[32mgreen\u001b[39m\r\n\u001b[?25h", terminal: true },
  { stdout: "\u001b]8;;https://etherscan.io/tx/0x1\u001b\\0x1\u001b]8;;\u001b\\", terminal: true },
  { stderr: "\u0007\u001b]9;relayctl: tx wait: done\u001b\\", terminal: true },
  { stdout: "\u0000", command: "relayers list -o raw" },
  { stdout: `${CANARY_TOKEN}\n`, command: "auth token" },
  { stderr: "error: it is refused at the door (status 400)\n", exitCode: 7 },
])("the scan finds nothing in %j", (captured) => {
  expect(faultsOf({ command: "relayers list", exitCode: 0, stdout: "", stderr: "", ...captured })).toEqual([]);
});
