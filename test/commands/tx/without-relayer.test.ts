import { cli, ends, SERVER, says, type World } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { record, serviceWith, well } from "../doctor/sick.ts";
import { configOf, intent, outcome } from "../history/recorded.ts";

const ID = "0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";
const LIKE_IT = "0c5d9a44-0000-4f6a-8c02-5e9d3b7f1a60";
const PREFIX = "0c5d9a44";

/** A stuck transaction of eth-main-1 in the demo. */
const DEMO_ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const READ = "the current state was read, nothing was changed at";

const store = (others: readonly string[] = [], relayers: readonly string[] = []) =>
  serviceWith([well(), well({ id: "r2" }), ...relayers.map((id) => well({ id }))], {
    transactions: [
      record(ID, 5, { relayer_id: "r2", nonce: 7 }),
      ...others.map((id, index) => record(id, 3, { relayer_id: "r1", nonce: 20 + index })),
    ],
  });

const terminal = (world: World = {}): World => ({ store: store(), terminal: true, ...world });
const targets = ({ requests }: Awaited<ReturnType<typeof cli>>) =>
  requests.map(({ target }) => target.replace("/api/v1/relayers", "").replace(/\?.*/, "?"));

describe("a transaction without its relayer", () => {
  test.each([
    "get ID -o json",
    "get ID --dry-run",
    "wait ID --for broadcast --no-chain -o json",
    "bump ID --dry-run",
    "cancel ID --curl",
    "cancel ID --dry-run --diff",
    "cancel ID --confirm ID --dry-run",
    "cancel --confirm ID ID --dry-run",
    "bump --wait --dry-run -- ID",
  ])("is found by its whole ID, in a script too: tx %s", async (line) => {
    const named = `tx ${line}`.replace(/(?<!--confirm )\bID\b/, "eth-main-1 ID");
    const run = (each: string) => cli(each.replaceAll(/\bID\b/g, DEMO_ID));
    const [short, long] = [await run(`tx ${line}`), await run(named)];
    const withoutReads = ({ stderr }: typeof short) => stderr.replace(READ, "nothing was sent to");
    expect(withoutReads(short)).toBe(withoutReads(long));
    expect(short).toMatchObject({ exitCode: long.exitCode, stdout: long.stdout, writes: [] });
    expect(long.stdout).not.toBe("");
  });

  test("needs consent for a write in a script, which the hint asks for with the relayer", async () => {
    const ran = await ends({ exitCode: 3, writes: [] }, `tx cancel ${ID}`, { store: store() });
    expect(ran.stderr).toContain(`hint: relayctl tx cancel r2 ${ID} --yes\n`);
  });

  test.each(["cancel", "bump"])("is named with its relayer in the question of tx %s", async (verb) => {
    const ran = await cli(`tx ${verb} ${DEMO_ID.slice(0, 8)}`, { terminal: true, answers: [false] });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    const asked = ran.stderr + ran.questions.join("\n");
    for (const word of [DEMO_ID, "eth-main-1"]) expect(asked).toContain(word);
  });

  test("is looked up in the journal first, without reading the relayers", async () => {
    const journal = memoryJournal({
      entries: [intent("a", { operation: "tx.send", ids: { relayer_id: "r2", transaction_id: ID } }), outcome("a")],
    });
    const world = { env: {}, config: configOf("prod"), store: store(), journal };
    const ran = await ends({ exitCode: 0, stdout: `${ID}\n` }, `tx get ${ID} -o name`, world);
    expect(targets(ran)).toEqual([`/${ID}`, `/r2/transactions/${ID}`]);
  });

  test("is not found: exit code 5", async () => {
    for (const [line, world] of [
      [`tx get ${LIKE_IT}`, { store: store() }],
      ["tx get 0c5d9a45", terminal()],
    ] as const) {
      await says({ exitCode: 5, stdout: "" }, line, `  hint: relayctl find ${line.split(" ")[2]}\n`, world);
    }
  });

  test("is refused with both meanings if a relayer has the ID too, whether the journal knows it or not", async () => {
    const journal = memoryJournal({
      entries: [intent("a", { operation: "tx.send", ids: { relayer_id: "r2", transaction_id: ID } }), outcome("a")],
    });
    for (const world of [{}, { env: {}, config: configOf("prod"), journal }])
      for (const line of [`tx get ${ID}`, `tx cancel ${ID} --yes`]) {
        const ran = await ends({ exitCode: 2, stdout: "", writes: [] }, line, { ...world, store: store([], [ID]) });
        expect(ran.stderr).toContain(`relayer ${ID}\n  transaction ${ID} of r2\n`);
      }
  });

  test("is missing if only a relayer has the ID", async () => {
    const ran = await ends({ exitCode: 2, stdout: "" }, `tx get ${LIKE_IT}`, { store: store([], [LIKE_IT]) });
    expect(ran.stderr).toContain("is a relayer; specify its transaction too");
  });

  test("is asked for on a terminal if only a relayer has the ID", async () => {
    const own = record(ID, 5, { relayer_id: LIKE_IT, nonce: 7 });
    const owned = serviceWith([well({ id: LIKE_IT })], { transactions: [own] });
    const ran = await cli(`tx get ${LIKE_IT}`, { store: owned, terminal: true, answers: [ID] });
    expect(ran).toMatchObject({ exitCode: 0, questions: ["Transaction:"] });
    expect(ran.stdout).toContain(ID);
  });

  test("is looked up after everything else that was typed was validated", async () => {
    for (const line of [`tx get ${ID} --was x`, `tx bump ${ID} --times 0`, `tx wait ${ID} --confirmations x`])
      await ends({ exitCode: 2, requests: [] }, line, { store: store() });
  });

  test("needs its relayer in several contexts", async () => {
    const ran = await cli(`tx get ${ID} -c a,b`, { env: {}, config: configOf("a", "b"), store: store() });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr).toContain("needs the relayer's ID");
  });

  test("is not what --pending, --stuck, and --nonce stand with", async () => {
    for (const line of [`tx wait ${ID} --pending`, `tx bump ${ID} --stuck 1h --yes`, `tx get ${ID} --nonce 7`]) {
      const ran = await cli(line, { store: store() });
      expect(targets(ran)[0], line).toMatch(new RegExp(`^/${ID}(?:/transactions|$)`));
    }
  });
});

describe("the first characters of an ID", () => {
  test.each(["", "r2 "])("are taken on a terminal for a read: tx get %s…", async (relayer) => {
    for (const prefix of [PREFIX, PREFIX.toUpperCase(), ID.slice(0, 20)])
      await ends({ exitCode: 0, stdout: `${ID}\n` }, `tx get ${relayer}${prefix} -o name`, terminal());
  });

  test("are refused with the candidates if they are ambiguous", async () => {
    for (const line of [`tx get ${PREFIX}`, `tx cancel ${PREFIX}`, `tx wait ${PREFIX}`, `tx bump ${PREFIX}`]) {
      const ran = await cli(line, terminal({ store: store([LIKE_IT]) }));
      expect(ran, line).toMatchObject({ exitCode: 2, stdout: "", writes: [], questions: [] });
      for (const candidate of [`transaction ${ID} of r2\n`, `transaction ${LIKE_IT} of r1\n`])
        expect(ran.stderr).toContain(`  ${candidate}`);
    }
    await ends({ stdout: `${ID}\n` }, `tx get r2 ${PREFIX} -o name`, terminal({ store: store([LIKE_IT]) }));
  });

  test("are not unique if a relayer has more transactions than are searched", async () => {
    const many = Array.from({ length: 1_001 }, (_, at) => `${String(at).padStart(8, "f")}-0000-4f6a-8c02-5e9d3b7f1a60`);
    const ran = await ends({ exitCode: 2, stdout: "" }, `tx get ${PREFIX}`, terminal({ store: store(many) }));
    expect(ran.stderr).toContain("specify the whole ID\n  only the newest 1,000 of 1,001 transactions were searched");
    expect(ran.requests.length).toBeLessThan(20);
    expect((await cli(`tx get ${ID} -o name`, { store: store(many) })).stdout).toBe(`${ID}\n`);
  });

  test.each([
    `tx get ${PREFIX}`,
    `tx wait ${PREFIX}`,
    `tx bump ${PREFIX} --yes`,
    `tx cancel ${PREFIX} --yes`,
    `tx cancel r2 ${PREFIX} --yes`,
    `tx bump r2 ${PREFIX} --yes`,
  ])("are refused in a script, with nothing sent: %s", async (line) => {
    await ends({ exitCode: 2, stdout: "", requests: [] }, line, { store: store() });
  });

  test("are refused for a write with --yes, since no question shows the whole ID", async () => {
    for (const line of [`tx cancel ${PREFIX} --yes`, `tx bump r2 ${PREFIX} -y`])
      expect(await cli(line, terminal())).toMatchObject({ exitCode: 2, requests: [] });
  });

  test("are the ID of a relayer if it has it, and no transaction begins so", async () => {
    const ran = await cli("tx get deadbeef", terminal({ store: store([], ["deadbeef"]), answers: [] }));
    expect(targets(ran).at(-1)).toBe("/deadbeef/transactions?");
  });

  test(`are left to the service of ${SERVER} if they begin no ID of the relayer`, async () => {
    const ran = await cli("tx get r2 deadbeef", terminal());
    expect(targets(ran).at(-1)).toBe("/r2/transactions/deadbeef");
    expect(ran.exitCode).toBe(5);
  });
});
