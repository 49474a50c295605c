import { allCommands } from "../../src/cli/all-commands.ts";
import { textWidth } from "../../src/terminal/width.ts";
import { SURROUNDINGS } from "../cli/example-surroundings.ts";
import { typed } from "../cli/typed-examples.ts";
import { cli } from "../helpers/cli.ts";
import { DEEP, sampled } from "../helpers/deep.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { demoStore } from "../helpers/seed-state.ts";

/** Widths from narrow to wide; a deep run tries every one. */
const STEP = DEEP ? 1 : 40;
const WIDTHS = Array.from({ length: Math.floor(160 / STEP) + 1 }, (_, at) => 40 + at * STEP);

/** Returns the columns that a table shows: a header of several words is one. */
function headersOf(stdout: string): string[] {
  const [first = "", second = ""] = stdout.split("\n");
  const lines = /^ {2}[A-Z_.]+$/.test(second) ? `${first}  ${second}` : first;
  return lines.split(/ {2,}/).filter((header) => header !== "");
}

const LISTS = [
  "tx list eth-main-1",
  "tx list",
  "tx stuck",
  "relayers list",
  "relayers status",
  "notifications list",
  "networks list",
  "signers list",
  "plugins list",
  "audit base-hot",
  "relayers balance eth-main-1 base-hot sol-pay",
];

test.each(LISTS)("a wider terminal shows each column of a narrower one: %s", async (line) => {
  let narrower: string[] = [];
  for (const columns of sampled(WIDTHS, 2)) {
    const { stdout } = await cli(`${line} --demo --color never`, { terminal: true, columns });
    const shown = headersOf(stdout);
    expect(shown, `at ${columns} columns`).toEqual(expect.arrayContaining(narrower));
    narrower = shown;
  }
  expect(narrower.length).toBeGreaterThan(1);
});

test("the numbers of why a transaction is stuck are shown at any width", async () => {
  for (const columns of WIDTHS) {
    const { stdout } = await cli("tx stuck --demo --color never", { terminal: true, columns });
    expect(stdout.replaceAll("\n  ", " "), `at ${columns} columns`).toContain("12.5 < base fee 12.6 gwei, blocks 3");
    expect(stdout, `at ${columns} columns`).not.toContain("…");
  }
});

const FILES = { "config.json": '{"relayers": [{"id": "a", "network": "mainnet", "name": "x"}]}' };
const STUCK = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const RECEIPTS: readonly (readonly [line: string, answers: readonly (boolean | string)[]])[] = [
  [`relayers update eth-main-1 --policy gas_price_cap=120gwei --policy whitelist_receivers=${TO}`, ["eth-main-1"]],
  ["relayers pause base-hot", []],
  [`tx send eth-main-1 --to ${TO} --value 0.01eth --speed fast`, [true]],
  [`tx bump eth-main-1 ${STUCK}`, [true]],
  [`tx get eth-main-1 ${STUCK}`, []],
  ["tx stuck eth-main-1", []],
  ["relayers get nobody", []],
  ["doctor eth-main-1", []],
  ["relayers pause --where network=mainnet", ["wrong"]],
  ["spend base-hot", []],
  ["topup --from base-hot --to-balance 0.5eth --below 0.2eth", ["wrong"]],
  ["propose -- relayers pause base-hot", []],
  ["proposals list", []],
  ["validate config.json", []],
  ["alerts --for prometheus", []],
  ["top", []],
  ["history show 3f2a91c0", []],
];

/** Returns the words of a text, with commands that were continued on the next line in one piece. */
function wordsOf(text: string): string[] {
  return text.replaceAll(/ \\\n */g, " ").split(/\s+/);
}

test.each(sampled(RECEIPTS, 3))("no command, ID, or address is broken at any width: %s", async (line, answers) => {
  const at = async (columns: number) => {
    const world = {
      store: demoStore(),
      journal: memoryJournal(),
      terminal: true,
      columns,
      files: FILES,
      proposals: new Map<string, string>(),
    };
    const { stdout, stderr } = await cli(`${line} --demo --color never`, { ...world, answers });
    return wordsOf(`${stdout}\n${stderr}`);
  };
  const isWhole = (word: string) => /^(?:--?[a-z][\w-]*|.*[0-9a-f]{8}-.*|0x[0-9a-fA-F]{40,})$/.test(word);
  const whole = (await at(10_000)).filter(isWhole);
  for (const columns of WIDTHS)
    expect(await at(columns), `at ${columns} columns`).toEqual(expect.arrayContaining(whole));
});

/** Commands that fill the screen or never end, and those whose output is a document. */
const OTHERS =
  /^(?:serve|mcp|tour|drill|top|completion|alerts|export|api|server metrics|webhooks listen|relayers (?:guard|edit)|auth login)$/;
const DOCUMENT = /^(?:-o|-o=.*|--output|--json|--dry-run|--curl|--watch.*|--listen|events)$/;
const EXAMPLES = (await allCommands()).flatMap(([path, { examples }]) =>
  OTHERS.test(path)
    ? []
    : examples.flatMap((example) => {
        const { argv, input } = typed(example);
        return argv.some((word) => DOCUMENT.test(word)) ? [] : [{ path, example, argv, input }];
      }),
);

/** A word begins a line if its terminal has no room for it elsewhere; a command continues there. */
const ALONE = /^ {0,4}\S+(?: \\)?$/;

test.each(sampled(EXAMPLES, 9))("nothing but a word is wider than the terminal: $example", async (each) => {
  const { path, example, argv, input } = each;
  const around = SURROUNDINGS[example] ?? SURROUNDINGS[path];
  for (const columns of WIDTHS.filter((width) => width % 8 === 0)) {
    const { stdout, stderr } = await cli([...argv, "--color", "never"], {
      ...{ store: demoStore(), journal: memoryJournal(), proposals: new Map(), ...around },
      ...{ terminal: true, columns, answers: ["wrong"] },
      ...(input !== undefined && { stdin: around?.files?.[input] ?? "" }),
    });
    const lines = `${stdout}\n${stderr}`.replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, "").split("\n");
    expect(
      lines.filter((line) => textWidth(line) > columns && !ALONE.test(line)),
      `at ${columns} columns`,
    ).toEqual([]);
  }
});
