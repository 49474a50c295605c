import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateToText } from "../../src/embedded-server/state/state-text.ts";
import { chosen, DEEP } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { acceptedIn, drawnChange, drawnOutcome } from "../helpers/receipts.ts";
import { seedState } from "../helpers/seed-state.ts";
import { bash, newFolder, start } from "./relayctl.ts";
import { inTerminal, uncolored } from "./terminal/terminal.ts";

const DOWN = "\u001b[B";
const CTRL_C = "\u0003";
const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const EVM = `relayctl --demo tx replace eth-main-1 ${TX}`;
const SOLANA = "relayctl --demo tx replace sol-pay 9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
const STELLAR = "relayctl --demo tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
const SECRET = "typed-secret-0123456789-0123456789-abc";

/** What is typed once a text is on the screen. */
type Typed = readonly { after: string; keys: string }[];
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
  test.runIf(DEEP)("is found by typing part of its description", async () => {
    const typed = [{ after: "> base-hot", keys: "disabled nonce" }, enter("> eth-sepolia")];
    const { shown } = await exited(0, inTerminal("relayctl --demo relayers get -o name", { typed }));
    expect(shown).toContain("eth-sepolia   Sepolia · sepolia · disabled · nonce sync failed");
    expect(shown).toMatch(/eth-sepolia\n$/);
  });

  test("is found with the arrow keys, and is in the receipt", async () => {
    const typed = [{ after: "> base-hot", keys: DOWN }, enter("> eth-main-1")];
    const { shown } = await exited(0, inTerminal("relayctl --demo relayers pause", { typed }));
    expect(uncolored(shown)).toContain(`${drawnChange("demo", "eth-main-1")}paused`);
  });

  test.runIf(DEEP)("is selected where the locale is not UTF-8", async () => {
    const typed = [{ after: "> base-hot", keys: DOWN }, enter("> eth-main-1")];
    const line = "relayctl --demo relayers get -o name";
    const { shown } = await exited(0, inTerminal(line, { env: { LC_ALL: "C" }, typed }));
    expect(shown).not.toMatch(/[^\p{ASCII}]/u);
    expect(shown).toContain(" Relayer: eth-main-1");
  });

  test("is selected by its number in plain lines", async () => {
    const env = { RELAYCTL_ACCESSIBLE: "1" };
    const typed = [{ after: "? Relayer: number", keys: "3\r" }];
    const { shown } = await exited(0, inTerminal("relayctl --demo relayers get -o name", { env, typed }));
    expect(shown).not.toContain("\u001b");
    expect(shown).toMatch(/\neth-main-2\n$/);
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

  test.runIf(DEEP)("removes the key after a selection and a confirmation", async () => {
    const folder = newFolder();
    const typed = [
      enter("URL:"),
      { after: "> keep it", keys: DOWN + DOWN },
      enter("> remove it"),
      { after: "? [y/N]", keys: "y\r" },
    ];
    await exited(0, inTerminal("relayctl --demo notifications update ops-hook -i", { folder, typed }));
    const left = await bash("relayctl --demo notifications get ops-hook --fields has_signing_key", { folder });
    expect(left.stdout).toBe("has_signing_key\tfalse\n");
  });
});

const WALKS: readonly [string, string, Typed, string][] = [
  [
    "EVM",
    `${EVM} -i`,
    [
      enter("To:"),
      { after: "Value:", keys: "0.25eth\r" },
      enter("Data (Enter"),
      enter("Gas limit:"),
      enter("> a speed"),
      enter("> fastest"),
      enter("Valid until"),
    ],
    "--to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 0.25eth --gas-limit 21000 --speed fastest",
  ],
  ["Solana", `${SOLANA} -i`, [{ after: "as base64:", keys: "AQABAg==\r" }], "--transaction AQABAg=="],
  [
    "Stellar",
    `${STELLAR} -i`,
    [
      enter("Network:"),
      enter("Source account:"),
      { after: "> operations", keys: DOWN },
      enter("> a built"),
      { after: "as base64:", keys: "AAAAAgAAAAE=\r" },
      { after: "> leave it out", keys: DOWN + DOWN },
      enter("> text"),
      { after: "Memo, text:", keys: "refund\r" },
      enter("> wrap"),
      { after: "Max fee", keys: "0.5xlm\r" },
      enter("Valid until"),
    ],
    "--network mainnet --source-account GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7 --transaction-xdr AAAAAgAAAAE= --memo text:refund --fee-bump --max-fee 0.5xlm",
  ],
];

test.each(chosen(WALKS, 2))(
  "tx replace -i prompts for the whole body of %s, and shows the same confirmation as with flags",
  async (_, line, typed, flags) => {
    const columns = 400;
    const asked = await inTerminal(line, { columns, typed: [...typed, { after: "? [y/N]", keys: "n\r" }] });
    const whole = line.replace("-i", flags);
    const plain = await inTerminal(whole, { columns, typed: [{ after: "? [y/N]", keys: "n\r" }] });
    expect(asked.exitCode).toBe(3);
    expect(asked.shown.replaceAll(/\u001b\[\d+m/g, "")).toContain(`  again    ${whole}\n`);
    const preview = plain.shown.slice(0, plain.shown.indexOf("? [y/N]"));
    expect(preview).toContain("replace transaction");
    expect(asked.shown).toContain(preview);
  },
);

describe("values that are not on the command line", () => {
  const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

  test("are prompted for if required, and the transaction is reviewed", async () => {
    const typed = [
      { after: "To:", keys: `${TO}\r` },
      { after: "Value:", keys: "0.01eth\r" },
      enter("> a speed"),
      { after: "> average", keys: DOWN },
      enter("> fast"),
      { after: "? [y/N]", keys: "y\r" },
    ];
    const { shown } = await exited(0, inTerminal("relayctl --demo tx send eth-main-1", { columns: 120, typed }));
    expect(uncolored(shown)).toMatch(/ {2}to +0x3c44/);
    expect(uncolored(shown)).toContain(drawnOutcome(acceptedIn("demo")));
  });

  test.runIf(DEEP)("are prompted for in a message to sign", async () => {
    const typed = [{ after: "Message:", keys: "hello\r" }];
    const { shown } = await exited(0, inTerminal("relayctl --demo relayers sign eth-main-1 --dry-run", { typed }));
    expect(shown).toContain('{"message":"hello"}');
  });
});

const flows: readonly (readonly [string, string, Typed])[] = [
  ...WALKS.map(([name, line, typed]) => [`a replacement on ${name}`, line, typed] as const),
  [
    "a transaction to send",
    "relayctl --demo tx send eth-main-1",
    [
      { after: "To:", keys: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc\r" },
      { after: "Value:", keys: "1wei\r" },
      enter("> a speed"),
      enter("> average"),
    ],
  ],
  ["a message to sign", "relayctl --demo relayers sign eth-main-1", [enter("Message:")]],
  ["the selection of a relayer", "relayctl --demo relayers pause", [enter("> base-hot")]],
  ["a typed ID", "relayctl --demo relayers pause --dry-run", [{ after: "Relayer:", keys: "r1\r" }]],
  [
    "a new notification",
    "relayctl --demo notifications create -i",
    [
      { after: "URL:", keys: "https://h.example\r" },
      enter("ID (Enter"),
      enter("> enter a key"),
      { after: "(hidden):", keys: `${SECRET}\r` },
    ],
  ],
  [
    "a change to a notification",
    "relayctl --demo notifications update ops-hook -i",
    [enter("URL:"), { after: "> keep it", keys: DOWN }, enter("> set a new key"), { after: "(hidden):", keys: "\r" }],
  ],
];

/** The last question; each of them in a deep run. */
const isTried = (index: number, count: number) => DEEP || index === count - 1;

test.each(chosen(flows, 0, 3))(
  "Ctrl-C in a prompt of %s: exits with 130, restores the cursor, and sends nothing",
  async (_, line, typed) => {
    const folder = newFolder();
    const state = join(folder, "config/demo.json");
    const before = stateToText(seedState("demo"));
    mkdirSync(join(folder, "config"), { recursive: true, mode: 0o700 });
    writeFileSync(state, before, { mode: 0o600 });
    for (const [index, { after }] of typed.entries()) {
      if (!isTried(index, typed.length)) continue;
      const stopped = [...typed.slice(0, index), { after, keys: CTRL_C }];
      const { exitCode, shown } = await inTerminal(line, { folder, typed: stopped });
      expect([after, exitCode]).toEqual([after, 130]);
      expect(shown).toContain("Canceled. Nothing was sent.");
      expect(shown).not.toContain("without questions");
      expect(shown.lastIndexOf("\u001b[?25h")).toBeGreaterThanOrEqual(shown.lastIndexOf("\u001b[?25l"));
    }
    expect(readFileSync(state, "utf8")).toBe(before);
  },
);

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

test("a selection with relayers of two kinds is confirmed with their kinds", async () => {
  const typed = [{ after: "different kinds (evm and stellar) in demo?", keys: "n\r" }];
  const { shown } = await exited(3, inTerminal("relayctl --demo relayers pause --where network=mainnet", { typed }));
  expect(shown).toContain("relayers of 2 kinds: 1 evm (mainnet), 1 stellar (mainnet)");
  expect(shown).toContain("  evm: eth-main-1");
  expect(shown).toContain("  stellar: xlm-treasury");
  expect(shown).toContain("skipped: 1 of 3 relayers is already paused");
});
