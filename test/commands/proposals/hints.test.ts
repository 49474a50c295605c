import { allCommands } from "../../../src/cli/all-commands.ts";
import type { Context } from "../../../src/config/config.ts";
import { SURROUNDINGS } from "../../cli/example-surroundings.ts";
import { cli, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { fakeSshKeygen, signerLine } from "../../helpers/fake-ssh-keygen.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { argvUnderSh } from "../../helpers/shell.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const SEND = `tx send base-hot --to ${TO} --value 1gwei --speed fast`;
const LINES: readonly (readonly [string, string])[] = [
  ["relayers resume", "relayers resume eth-main-2"],
  ["relayers resume", "relayers resume --all"],
  ["relayers update", "relayers update --all --policy gas_price_cap=80gwei"],
  ["tx send", `${SEND} --once k1`],
  ["tx send", `${SEND} --once=k1 --wait`],
];
/** Neither ends by itself, nor needs input, nor sends to others than the service. */
const LEFT_OUT = /guard|mcp|serve|approve|rotate-key|webhooks|tour|drill|freeze|auth|edit/;
const EXAMPLES = sampled(
  (await allCommands())
    .filter(([path, { sends }]) => !["read", "nothing"].includes(sends) && !LEFT_OUT.test(path))
    .flatMap(([path, { examples }]) => examples.map((example) => [path, example.replace("relayctl ", "")] as const)),
  7,
);

function ruled(path: string, line: string, rules: Partial<Context>): World {
  const own = { ...SURROUNDINGS[path], ...SURROUNDINGS[`relayctl ${line}`] };
  const contexts = { prod: { server: SERVER, token: TOKEN, ...rules } };
  return {
    ...own,
    ...{ env: {}, journal: memoryJournal(), proposals: new Map(), execute: fakeSshKeygen, store: demoStore() },
    config: { version: 1, current: "prod", contexts, labels: { evm: { ops: TO, payouts: TO, treasury: TO } } },
    files: { ...own.files, "mine.txt": signerLine("eve"), "token.txt": TOKEN },
  };
}

/** Runs what a hint names, as a user types it into a shell, without its file. */
async function typedHint(stderr: string, world: World) {
  const hint = /hint: (relayctl .*)$/m.exec(stderr)?.[1]?.replace("--out proposal.json ", "");
  const env = { RPC_URL_1: "https://r.example.org", SIGNING_KEY: "k".repeat(32) };
  return hint === undefined ? undefined : { hint, ...(await cli(argvUnderSh("relayctl", hint, env), world)) };
}

const approvers = { needed: 1, signers: [signerLine("ada")] };

describe.each<[string, Partial<Context>]>([
  ["with approvers", { approvers }],
  ["in read-only mode", { read_only: true }],
])("a context %s hints at a command that works", (_, rules) => {
  test.each([...LINES, ...EXAMPLES])("instead of %s: %s", async (path, line) => {
    const world = ruled(path, line, rules);
    const argv = argvUnderSh("relayctl", `relayctl ${line}`).filter((word) => !["--dry-run", "--curl"].includes(word));
    const ran = await cli([...argv.filter((word) => word !== "--yes"), "--yes"], world);
    if (ran.exitCode !== 3) return;
    const next = await typedHint(ran.stderr, world);
    // A proposal is a file that others read, so that no write with a secret can be one.
    if (next && !next.stderr.includes("sends a secret"))
      expect(next, next.hint + next.stderr).toMatchObject({ exitCode: 0 });
  });
});

describe("a change of a context that its approvers must sign hints at a command that works", () => {
  test.each([
    "context set prod --server https://other.example.org",
    "context set prod --no-approvers",
    "context set prod --max-value 1eth --no-approvers",
    "context delete prod --yes",
    "auth login --context prod --server https://other.example.org --token-file token.txt",
    `context set mine --server ${SERVER} --approvers mine.txt`,
  ])("%s", async (line) => {
    const world = ruled("", line, { approvers });
    const ran = await cli(line, world);
    expect(ran).toMatchObject({ exitCode: 3, requests: [] });
    expect(await typedHint(ran.stderr, world), ran.stderr).toMatchObject({ exitCode: 0 });
  });

  test("the approvers of another name for a server are the same", async () => {
    const line = `context set mine --server ${SERVER} --approvers mine.txt`;
    const { stderr } = await cli(line, ruled("", line, { approvers }));
    expect(stderr).toContain("context prod has other approvers for http://127.0.0.1:8080");
  });
});

test("several writes, which need signatures, are not proposed as one", async () => {
  const world = ruled("", "", { approvers });
  const { stderr } = await cli("relayers resume eth-main-1 eth-main-2 base-hot --yes", world);
  expect(stderr).toContain("hint: relayctl propose --help");
});
