import type { Context } from "../../../../src/config/config.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import type { Intent } from "../../../../src/journal/journal.ts";
import { cli, SERVER, TOKEN } from "../../../helpers/cli.ts";
import { exited } from "../../../helpers/exited.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { isSend, type KeyedWorld, keyedWorld, RECEIVER } from "../once/keyed-world.ts";

const ETH = 10n ** 18n;
const HOUR = 3_600_000;
const OTHER = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

function limited(rules: Partial<Context>, journal = memoryJournal()): KeyedWorld {
  return keyedWorld(journal, rules);
}

function pay(value: string | bigint, more = ""): string {
  return `tx send base-hot --to ${RECEIVER} --value ${value} --gas-limit 21000 --speed fast ${more}`;
}

/** The spellings of a number that the service reads (facts 5.3). */
const SPELLINGS = [
  (value: bigint) => `0x${value.toString(16)}`,
  (value: bigint) => `0X${value.toString(16).toUpperCase()}`,
  (value: bigint) => `0o${value.toString(8)}`,
  (value: bigint) => `0b${value.toString(2)}`,
  (value: bigint) => `000_${value}_`,
];

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const payment = (amount: string) =>
  `[{"type":"payment","destination":"${ACCOUNT}","amount":"${amount}","asset":{"type":"native"}}]`;

describe("--max-value", () => {
  const rules = { max_value: { eth: String(ETH / 100n) } };

  test("allows an equal value, and no wei more", async () => {
    const world = limited(rules);
    expect(await world.run(pay(ETH / 100n))).toMatchObject({ exitCode: 0 });
    const ran = await exited({ exitCode: 3, writes: [] }, world.run(pay(ETH / 100n + 1n)));
    expect(ran.stderr).toContain("0.010000000000000001 ETH is above the limit of 0.01 ETH for one transaction");
    expect(ran.stderr).toContain("beyond the limits of context prod requires confirmation");
    expect(ran.stderr).toContain("nothing was sent");
    expect(ran.stderr.trimEnd().endsWith("--confirm prod")).toBe(true);
    expect(world.accepted).toHaveLength(1);
  });

  test("is passed with the context's name, and says so in the receipt", async () => {
    const world = limited(rules);
    const ran = await world.run(pay("0.02eth", "--confirm prod"));
    expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "POST" }] });
    expect(ran.stderr).toContain("0.02 ETH is above the limit of 0.01 ETH");
    expect(await world.run(pay("0.02eth", "--confirm staging"))).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("asks for the context's name on a terminal", async () => {
    const line = pay("0.02eth");
    const agreed = await limited(rules).run(line, { terminal: true, answers: ["prod"] });
    expect(agreed).toMatchObject({ exitCode: 0, writes: [{ method: "POST" }] });
    expect(agreed.questions).toEqual(['Send 0.02 ETH from base-hot (base) in prod? Type "prod" to confirm:']);
    expect(agreed.stderr).toContain("0.02 ETH is above the limit of 0.01 ETH");
    await exited({ exitCode: 3, writes: [] }, limited(rules).run(line, { terminal: true, answers: ["yes"] }));
  });

  test("compares amounts above 2^53 exactly", async () => {
    const most = 2n ** 54n + 1n;
    const world = limited({ max_value: { wei: String(most) } });
    expect(await world.run(pay(most))).toMatchObject({ exitCode: 0 });
    expect(await world.run(pay(most + 1n))).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("of another coin is noted, and does not apply", async () => {
    const ran = await exited({ exitCode: 0 }, limited({ max_value: { pol: "1" } }).run(pay("0.01eth")));
    const note = "note: --max-value of context prod is for POL only, and does not limit this transaction";
    expect(ran.stderr.split(note)).toHaveLength(2);
  });

  test("in wei applies to every EVM coin", async () =>
    expect(await limited({ max_value: { wei: "9", pol: "99" } }).run(pay("10wei"))).toMatchObject({ exitCode: 3 }));

  test("applies to native payments of Stellar", async () => {
    const files = { "ops.json": payment("10000001") };
    const line = "tx send xlm-treasury --network mainnet --operations ops.json";
    const over = await limited({ max_value: { xlm: "10000000" } }).run(line, { files });
    expect(over).toMatchObject({ exitCode: 3, writes: [] });
    expect(over.stderr).toContain("1.0000001 XLM is above the limit of 1 XLM");
    expect(await limited({ max_value: { xlm: "10000001" } }).run(line, { files })).toMatchObject({ exitCode: 0 });
  });

  test.each(["tx send", "api POST"])(
    "requires the usual consent as well, and both flags in a script: %s",
    async (way) => {
      const body = { to: RECEIVER, value: "5", data: null, gas_limit: 21000, speed: "fast" };
      const world = {
        ...{ env: {}, journal: memoryJournal(), files: { "b.json": JSON.stringify(body) } },
        config: { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN, max_value: { wei: "4" } } } },
      };
      const line = way === "tx send" ? pay(5n) : "api POST /relayers/base-hot/transactions -f b.json";
      for (const flags of ["", "--yes", "--confirm prod"])
        expect(await cli(`${line} -c prod ${flags}`, world), flags).toMatchObject({ exitCode: 3, writes: [] });
      await exited(0, cli(`${line} -c prod --yes --confirm prod`, world));
      const asked = await exited(
        0,
        cli(`${line} -c prod`, { ...world, journal: memoryJournal(), terminal: true, answers: ["prod"] }),
      );
      expect(asked.questions).toHaveLength(1);
      const named = { ...world, journal: memoryJournal(), terminal: true, answers: [false] };
      const declined = await exited({ exitCode: 3, writes: [] }, cli(`${line} -c prod --confirm prod`, named));
      expect(declined.questions).toHaveLength(1);
    },
  );

  test("applies to any other request that sends a transaction", async () => {
    const body = { to: RECEIVER, value: String(ETH), data: null, gas_limit: 21000, speed: "fast" };
    const line = "api POST /relayers/base-hot/transactions -f body.json";
    for (const value of [ETH, ...SPELLINGS.map((spelled) => spelled(ETH)), "1e18", "0x_", "ten"].map(String)) {
      const files = { "body.json": JSON.stringify({ ...body, value }) };
      expect(await limited(rules).run(line, { files }), value).toMatchObject({ exitCode: 3, writes: [] });
    }
    const beyond = { files: { "body.json": JSON.stringify({ ...body, value: String(ETH) }) } };
    const shown = await limited({ max_value: { wei: "1" } }).run(`${line} --dry-run`, beyond);
    expect(shown).toMatchObject({ exitCode: 0, requests: [] });
    expect(shown.stderr).toContain(
      "note: requires --confirm prod: 1000000000000000000 wei is above the limit of 1 wei",
    );
    const files = { "body.json": JSON.stringify({ ...body, value: "1" }) };
    expect(await limited(rules).run(line, { files })).toMatchObject({ exitCode: 0 });
    const signed = "relayers rpc base-hot eth_sendRawTransaction 0x02";
    expect((await limited(rules).run(`${signed} --confirm base-hot`)).stderr).toContain("do not apply to JSON-RPC");
  });
});

describe("a request whose relayer cannot be read", () => {
  const stellar = async (rules: Partial<Context>, body: object, isAway = true) => {
    const files = { "b.json": JSON.stringify({ network: "mainnet", ...body }) };
    const line = "api POST /relayers/xlm-treasury/transactions -f b.json --retries 0";
    return await limited(rules).run(line, { files }, async (request, answer) =>
      isAway && request.method === "GET" ? reply(503, { success: false, data: null, error: "away" }) : await answer(),
    );
  };
  const native = (amount: string) => ({ operations: JSON.parse(payment(amount)) });

  test("has the limits of the kind that its body shows", async () => {
    for (const rules of [{ max_value: { xlm: "5" } }, { max_per_day: { xlm: "5" } }, { allow_to: [RECEIVER] }]) {
      const ran = await exited({ exitCode: 3, writes: [] }, stellar(rules, native("6")));
      expect(ran.stderr).toMatch(/0\.0000006 XLM|does not allow GAAZ/);
    }
    expect(await stellar({ max_value: { xlm: "5" } }, native("5"))).toMatchObject({ exitCode: 0 });
    const built = await stellar({ max_value: { xlm: "5" } }, { transaction_xdr: "AAAA" });
    expect(built.stderr).toContain("cannot be checked: the built transaction contains the amounts");
  });

  test("is beyond any limit if its body shows none or two", async () => {
    for (const body of [
      { ...native("1"), value: "1" },
      { network: undefined, valid_until: "1" },
    ]) {
      const ran = await exited({ exitCode: 3, writes: [] }, stellar({ max_value: { xlm: "5" } }, body));
      expect(ran.stderr).toContain("the network of xlm-treasury is unknown");
    }
  });

  test("is beyond any limit if an amount is not readable, as one whose relayer can be read", async () => {
    for (const amount of ["+6", "-6", "6.5", `${"0".repeat(400)}6`])
      for (const isAway of [true, false])
        await exited({ exitCode: 3, writes: [] }, stellar({ max_value: { xlm: "5" } }, native(amount), isAway));
  });
});

describe("--allow-to", () => {
  const rules = { allow_to: ["0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", ACCOUNT] };

  test("allows a listed receiver in any spelling, and no other", async () => {
    const world = limited(rules);
    expect(await world.run(pay("1wei"))).toMatchObject({ exitCode: 0 });
    const ran = await exited({ exitCode: 3, writes: [] }, world.run(pay("1wei").replace(RECEIVER, OTHER)));
    expect(ran.stderr).toContain(`context prod does not allow ${OTHER} as a receiver`);
  });

  test("does not allow a new contract", async () => {
    const ran = await limited(rules).run("tx send base-hot --data 0x6000 --value 0 --gas-limit 90000 --speed fast");
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("checks each receiver of a Stellar transaction", async () => {
    const line = "tx send xlm-treasury --network mainnet --operations ops.json";
    expect(await limited(rules).run(line, { files: { "ops.json": payment("1") } })).toMatchObject({ exitCode: 0 });
    const none = limited({ allow_to: [RECEIVER] });
    expect(await none.run(line, { files: { "ops.json": payment("1") } })).toMatchObject({ exitCode: 3, writes: [] });
  });
});

describe("--max-per-day", () => {
  const rules = { max_per_day: { eth: "10" } };

  test("counts what was sent in the last 24 hours", async () => {
    const world = limited(rules);
    for (const value of [4n, 5n]) expect(await world.run(pay(value))).toMatchObject({ exitCode: 0 });
    const ran = await exited({ exitCode: 3, writes: [] }, world.run(pay(2n)));
    expect(ran.stderr).toContain(
      "0.000000000000000011 ETH in 24 hours, of which this transaction adds 0.000000000000000002 ETH, is above the limit of 0.00000000000000001 ETH per day",
    );
    expect(await world.run(pay(1n))).toMatchObject({ exitCode: 0 });
    await world.pass(24 * HOUR + 1);
    expect(await world.run(pay(10n))).toMatchObject({ exitCode: 0 });
  });

  test("counts transactions with an unknown outcome, and none that was not applied", async () => {
    const world = limited(rules);
    await world.run(pay(6n), {}, async (request, answer) => {
      if (isSend(request)) throw lost();
      return await answer();
    });
    expect(await world.run(pay(5n))).toMatchObject({ exitCode: 3, writes: [] });
    const outcome = world.journal.entries.find((entry) => entry.type === "outcome");
    if (outcome?.type === "outcome") outcome.applied = "no";
    expect(await world.run(pay(5n))).toMatchObject({ exitCode: 0 });
  });

  test.each(SPELLINGS)("counts what was sent in any spelling: %s", async (spelled) => {
    const world = limited(rules);
    const body = { to: RECEIVER, value: spelled(6n), data: null, gas_limit: 21000, speed: "fast" };
    const line = "api POST /relayers/base-hot/transactions -f b.json";
    const files = { "b.json": JSON.stringify(body) };
    await world.run(line, { files }, async (request, answer) => {
      if (isSend(request)) throw lost();
      return await answer();
    });
    expect(await world.run(pay(5n))).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("counts a write that was killed before its outcome", async () => {
    const world = limited(rules);
    await world.run(pay(6n));
    world.journal.entries.splice(1);
    expect(await world.run(pay(5n))).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("counts all relayers of the coin, and none of another one", async () => {
    const world = limited(rules);
    await world.run(pay(6n).replace("base-hot", "eth-main-1"));
    await world.run(pay(1000n).replace("base-hot", "polygon-bulk"));
    expect(await world.run(pay(5n))).toMatchObject({ exitCode: 3, writes: [] });
    expect(await world.run(pay(4n))).toMatchObject({ exitCode: 0 });
  });

  test("does not count other contexts", async () => {
    const world = limited(rules);
    await world.run(pay(6n));
    for (const entry of world.journal.entries) if (entry.type === "intent") (entry as Intent).context = "staging";
    expect(await world.run(pay(10n))).toMatchObject({ exitCode: 0 });
  });

  test("counts of a replacement only what it sends more", async () => {
    const world = limited(rules);
    await world.run(pay(6n));
    const [id] = world.accepted;
    const replace = (value: bigint) =>
      `tx replace base-hot ${id} --to ${RECEIVER} --value ${value} --gas-limit 21000 --speed fastest`;
    expect(await world.run(replace(11n))).toMatchObject({ exitCode: 3, writes: [] });
    for (const value of [6n, 10n, 2n])
      expect(await world.run(replace(value)), `${value}`).toMatchObject({ exitCode: 0 });
    expect(await world.run(pay(1n))).toMatchObject({ exitCode: 3, writes: [] });
    expect(await world.run(pay(1n, "--confirm prod"))).toMatchObject({ exitCode: 0 });
  });

  test("counts of a transaction from before the day only what a replacement sends more", async () => {
    const world = limited(rules);
    await world.run(pay(6n));
    const [id] = world.accepted;
    world.journal.entries.length = 0;
    const line = `tx replace base-hot ${id} --to ${RECEIVER} --gas-limit 21000 --speed fastest`;
    expect(await world.run(`${line} --value 17`)).toMatchObject({ exitCode: 3, writes: [] });
    expect(await world.run(`${line} --value 16`)).toMatchObject({ exitCode: 0 });
    expect(await world.run(pay(1n))).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("counts a payment whose versions are in two journals", async () => {
    const world = limited(rules);
    const journals = { a: memoryJournal({ path: "/a" }) };
    await world.run(pay(6n, "--once k1 --state a"), { journals });
    const replace = pay(6n).replace("tx send base-hot", `tx replace base-hot ${world.accepted[0]}`);
    expect(await world.run(replace.replace("fast", "fastest"), { journals })).toMatchObject({ exitCode: 0 });
    expect(await world.run(pay(5n, "--once k2 --state a"), { journals })).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("exits with 2 without a journal", async () => {
    const ran = await limited(rules).run(pay(1n), { env: { RELAYCTL_JOURNAL: "off" } });
    expect(ran).toMatchObject({ exitCode: 2, writes: [] });
    expect(ran.stderr).toContain("--max-per-day needs the journal");
    await exited(0, limited({ max_value: { eth: "1" } }).run(pay(1n), { env: { RELAYCTL_JOURNAL: "off" } }));
  });

  test("sends nothing that it counts and that the disk cannot record", async () => {
    let isFull = false;
    const fault = () => (isFull ? new RelayctlError("io", "the disk is full") : undefined);
    const world = limited(rules, memoryJournal({ fault }));
    await world.run(pay(1n));
    isFull = true;
    const body = { to: RECEIVER, value: "9", data: null, gas_limit: 21000, speed: "fast" };
    const replace = pay(9n).replace("tx send base-hot", `tx replace base-hot ${world.accepted[0]}`);
    for (const line of [
      pay(9n),
      replace.replace("fast", "fastest"),
      "api POST /relayers/base-hot/transactions -f b.json",
    ]) {
      const ran = await exited(
        { exitCode: 74, writes: [] },
        world.run(line, { files: { "b.json": JSON.stringify(body) } }),
      );
      expect(ran.stderr).toContain("the journal, which --max-per-day requires, cannot be written: the disk is full");
      expect(ran.stderr).toContain("nothing was sent");
    }
    await exited(0, world.run(pay(0n)));
    await exited(0, world.run("relayers pause base-hot"));
    const files = { "ops.json": payment("1") };
    const stellar = "tx send xlm-treasury --network mainnet --operations ops.json";
    expect(await world.run(stellar, { files })).toMatchObject({ exitCode: 74, writes: [] });
  });

  test("sends no value at any time", async () => {
    const world = limited({ max_per_day: { eth: "0" } });
    expect(await world.run(pay(0n))).toMatchObject({ exitCode: 0 });
    expect(await world.run(pay(1n))).toMatchObject({ exitCode: 3 });
  });
});

describe("a dry run", () => {
  test("notes what is beyond the limits", async () => {
    const world = limited({ max_value: { eth: "1" }, allow_to: [OTHER] });
    const ran = await exited({ exitCode: 0, requests: [] }, world.run(`${pay("0.01eth")} --dry-run`));
    expect(ran.stderr).toContain("note: requires --confirm prod: 0.01 ETH is above the limit");
    expect(ran.stderr).toContain(`note: requires --confirm prod: context prod does not allow ${RECEIVER}`);
  });

  test("notes that it does not know the coin", async () => {
    const ran = await limited({ max_value: { eth: "1" } }).run(`${pay(5n)} --dry-run`);
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stderr).toContain("note: the coin of base-hot is unknown");
  });
});

test("a transaction that was sent before under its key needs no confirmation", async () => {
  const world = limited({ max_per_day: { eth: "10" } });
  await world.run(pay(6n, "--once payout-7"));
  expect(await world.run(pay(6n, "--once payout-7"))).toMatchObject({ exitCode: 0, writes: [] });
});
