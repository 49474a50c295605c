import { parseShellRequest } from "../../../src/completion/shells.ts";
import type { Offer } from "../../../src/completion/words.ts";

describe("bash", () => {
  const BREAKS = " \t\n\"'@><=;|&(:";
  const TAB = "9";
  const MENU = "37";

  function printed(
    line: string,
    { candidates, kind = "words", type = TAB, columns = "80" }: Partial<Offer> & { type?: string; columns?: string },
  ) {
    return parseShellRequest(["bash", type, columns, BREAKS, "--", line])?.print({
      kind,
      candidates: candidates ?? [],
    });
  }

  const relayers = [
    { word: "eth-main-1", summary: "mainnet, active" },
    { word: "eth-main", summary: "mainnet, paused" },
    { word: "base", summary: "base, active" },
  ];

  test("shows several matches with aligned descriptions", () =>
    expect(printed("relayctl relayers get eth", { candidates: relayers })).toEqual([
      "words",
      "eth-main-1  (mainnet, active)",
      "eth-main    (mainnet, paused)",
    ]));

  test("shows a single match without a description, since bash inserts it", () =>
    expect(printed("relayctl relayers get ba", { candidates: relayers })).toEqual(["words", "base"]));

  test("shows matches without descriptions if bash inserts them in turn", () =>
    expect(printed("relayctl relayers get eth", { candidates: relayers, type: MENU })).toEqual([
      "words",
      "eth-main-1",
      "eth-main",
    ]));

  test("cuts descriptions to the width, and omits them if there is no space", () => {
    expect(printed("relayctl x e", { candidates: relayers, columns: "24" })?.[1]).toBe("eth-main-1  (mainnet,…)");
    expect(printed("relayctl x e", { candidates: relayers, columns: "20" })?.[1]).toBe("eth-main-1");
  });

  test.each([
    ["relayctl get ", "two words", "two\\ words"],
    ["relayctl get 'two", "two wor'ds", "two wor'\\''ds"],
    ['relayctl get "two', 'two $wor"ds', 'two \\$wor\\"ds'],
    ["relayctl get ", "$(id)", "\\$\\(id\\)"],
    ["relayctl get ", "~root;*?", "\\~root\\;\\*\\?"],
    ["relayctl --output=js", "--output=json", "json"],
    ["relayctl get urn:eth:m", "urn:eth:main", "main"],
  ])("completes %s with %s, quoted for the shell", (line, word, text) => {
    expect(printed(line, { candidates: [{ word }] })).toEqual(["words", text]);
  });

  test("shows flags without descriptions, since there are many", () => {
    const candidates = [
      { word: "--page", summary: "one page only" },
      { word: "--per-page", summary: "items" },
    ];
    expect(printed("relayctl relayers list --p", { candidates })).toEqual(["words", "--page", "--per-page"]);
  });
});

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
