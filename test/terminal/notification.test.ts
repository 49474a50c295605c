import { notification } from "../../src/terminal/notification.ts";

const BELL = "\u0007";

test.each([
  [{ TERM_PROGRAM: "iTerm.app" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
  [{ TERM_PROGRAM: "WezTerm" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
  [{ TERM: "xterm-kitty" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
  [{ TERM: "foot" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
  [{ TERM: "rxvt-unicode-256color" }, `${BELL}\u001b]777;notify;relayctl;done\u001b\\`],
  [{ TERM: "xterm-256color", KONSOLE_VERSION: "230800" }, `${BELL}\u001b]777;notify;relayctl;done\u001b\\`],
  [{ TERM: "xterm-256color", VTE_VERSION: "7600" }, `${BELL}\u001b]777;notify;relayctl;done\u001b\\`],
  [{ TERM: "xterm-256color" }, BELL],
  [{ WT_SESSION: "1" }, BELL],
  [{ TERM: "dumb" }, BELL],
  [{ ACCESSIBLE: "1", TERM_PROGRAM: "iTerm.app" }, BELL],
  [{ TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0", KONSOLE_VERSION: "230800" }, BELL],
  [{ TERM: "screen", STY: "1.pts", VTE_VERSION: "7600" }, BELL],
  [{}, BELL],
])("is what the terminal of %o has", (env, expected) => expect(notification(env, "done")).toBe(expected));

test.each(["\u001b\\\u001b]0;title\u0007", "a\u009c\u009d0;b", "a\nb\r\tc", "\u202egnp.exe", "4;1;100", "a;b"])(
  "does not act on the terminal, whatever its text is: %j",
  (text) => {
    for (const env of [{ TERM_PROGRAM: "ghostty" }, { TERM: "rxvt-unicode" }]) {
      const [, inner] = /^\u0007\u001b\](?:9;relayctl: |777;notify;relayctl;)(.*)\u001b\\$/su.exec(
        notification(env, text),
      ) ?? [undefined, "\u0007"];
      expect(inner).toMatch(/^[\x20-\x7e]+$/);
    }
    expect(notification({ TERM: "rxvt-unicode" }, text).split(";")).toHaveLength(4);
  },
);

test("is as long as a terminal shows", () =>
  expect(notification({ TERM: "foot" }, "x".repeat(10_000))).toHaveLength(
    200 + "\u0007\u001b]9;relayctl: \u001b\\".length,
  ));
