import { parseShellRequest } from "../../../src/completion/shells.ts";

const offer = {
  kind: "words",
  candidates: [{ word: "eth:main", summary: "mainnet: active" }, { word: "it's\\one" }],
} as const;

test("an unknown shell gets nothing", () => expect(parseShellRequest(["tcsh", "--", "x"])).toBeUndefined());

describe.each(["zsh", "fish", "powershell"])("%s", (shell) => {
  test.each([
    ["0", [""], [""]],
    ["0", [], [""]],
    ["1", ["relayers"], ["relayers", ""]],
    ["1", ["relayers", "upd"], ["relayers", "upd"]],
  ])("restores a lost empty word by the number of words before it: %s %j", (before, typed, words) =>
    expect(parseShellRequest([shell, before, "0", "--", ...typed])?.words).toEqual(words),
  );
});

test.each(["zsh", "fish"])("%s gets descriptions after a tab", (shell) => {
  expect(parseShellRequest([shell, "0", "--", ""])?.print(offer)).toEqual([
    "words",
    "eth:main\tmainnet: active",
    "it's\\one",
  ]);
});

test("PowerShell gets each word quoted, with its label and description", () =>
  expect(parseShellRequest(["powershell", "0", "0", "--", ""])?.print(offer)).toEqual([
    "words",
    "eth:main\teth:main\tmainnet: active",
    "'it''s\\one'\tit's\\one\tit's\\one",
  ]));

test("PowerShell replaces only the last part of a list, and ignores case", () => {
  const candidates = [{ word: "id,name" }, { word: "id,paused" }];
  expect(parseShellRequest(["powershell", "1", "3", "--", "x", "id,NA"])?.print({ kind: "open", candidates })).toEqual([
    "open",
    "name\tid,name\tid,name",
  ]);
});
