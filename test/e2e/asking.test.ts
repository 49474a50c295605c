import { chosen } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { drawnChange } from "../helpers/receipts.ts";
import { bash, newFolder, start } from "./relayctl.ts";
import { inTerminal, uncolored } from "./terminal/terminal.ts";

const DOWN = "\u001b[B";
const CTRL_C = "\u0003";
const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const SECRET = "typed-secret-0123456789-0123456789-abc";

const enter = (after: string) => ({ after, keys: "\r" });

test("choices and questions are broken between words in a narrow terminal", async () => {
  const edit = { columns: 60, typed: [{ after: "enter confirm", keys: CTRL_C }] };
  const choices = await inTerminal("relayctl --demo relayers edit sol-pay", edit);
  expect(uncolored(choices.shown)).toMatch(/rpc urls +1 \(masked: replaced as a\n {32}whole or not at all\)\n/);
  const cancel = { columns: 60, typed: [{ after: "[y/N]", keys: "\r" }] };
  const question = await inTerminal(`relayctl --demo tx cancel eth-main-1 ${TX}`, cancel);
  expect(uncolored(question.shown)).toContain(`? Cancel transaction ${TX} of\n  eth-main-1 in demo? [y/N]`);
});

test.each([{}, { RELAYCTL_ACCESSIBLE: "1" }])(
  "keys that are typed before a question do not agree to it: %j",
  async (env) => {
    const typed = [
      { after: "ready", keys: "y\ry" },
      { after: "[y/N]", keys: "\r" },
    ];
    const line = `printf ready; until read -t 0; do :; done; relayctl --demo tx cancel eth-main-1 ${TX}`;
    const { shown } = await exited(3, inTerminal(line, { typed, env }));
    expect(uncolored(shown)).toContain("Canceled. Nothing was sent.");
  },
);

describe("a missing relayer", () => {
  test("is found with the arrow keys, and is in the receipt", async () => {
    const typed = [{ after: "> base-hot", keys: DOWN }, enter("> eth-main-1")];
    const { shown } = await exited(0, inTerminal("relayctl --demo relayers pause", { typed }));
    expect(uncolored(shown)).toContain(`${drawnChange("demo", "eth-main-1")}paused`);
  });
});

describe("a prompt for a signing key", () => {
  test("sets the key of a new notification, and never shows the key", async () => {
    const folder = newFolder();
    const typed = [
      { after: "URL:", keys: "https://h.example\r" },
      { after: "ID (Enter", keys: "pager\r" },
      enter("> enter a key"),
      { after: "(hidden):", keys: `${SECRET}\r` },
    ];
    const { shown } = await exited(0, inTerminal("relayctl --demo notifications create -i", { folder, typed }));
    expect(shown).not.toMatch(/typed-sec|\*{3}/);
    expect(shown).toContain("--url https://h.example --id pager --signing-key-file -");
    const made = await bash("relayctl --demo notifications get pager --fields has_signing_key", { folder });
    expect(made.stdout).toBe("has_signing_key\ttrue\n");
  });
});

describe("without a terminal, a missing value fails immediately with exit code 2", () => {
  const inputs: readonly (readonly [string, string])[] = [
    ["stdin is a file", "relayctl --demo relayers pause < /dev/null"],
    ["stdin is a pipe", "yes | relayctl --demo relayers pause"],
    ["stderr is a file", "relayctl --demo relayers pause 2> words; code=$?; cat words; exit $code"],
  ];

  test.each(chosen(inputs, 2))("if %s", async (_, line) => {
    const { shown } = await exited(2, inTerminal(line));
    expect(uncolored(shown)).toContain("error: missing required argument 'ids', or --all or --where");
    expect(shown).not.toContain("Relayer:");
  });

  test("if stdin is a pipe that stays open without data", async () => {
    const { ended } = start(["--demo", "relayers", "pause"]);
    expect(await ended).toMatchObject({ exitCode: 2, stdout: "" });
  });
});
