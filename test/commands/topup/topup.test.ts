import type { WireRequest } from "../../../src/contract/wire.ts";
import { TOKEN, type World } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { exited, exitedSaying } from "../../helpers/exited.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { reply } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { worldJournal } from "../../journal/damage/damages.ts";
import { opened } from "../../journal/opened.ts";
import { type Fault, isSend, loseRequest } from "../tx/once/keyed-world.ts";
import { addressOf, eth, LINE, PURSE, rowsIn, statesIn, sumOf, toppedUpTwice, toppingWorld } from "./topping-world.ts";

test("fills each low balance on the purse's network, and nothing else", async () => {
  const world = toppingWorld();
  world.extra.set(addressOf(2), eth("0.02"));
  world.extra.set(addressOf(3), eth("0.05"));
  const ran = await exited(0, world.run(`${LINE} -o json`));
  expect(rowsIn(ran)).toMatchObject([
    { target: "b-001", balance: "0", pending: "0", amount: String(eth("0.1")), state: "sent" },
    { target: "b-002", amount: String(eth("0.08")), after: String(eth("0.1")), state: "sent" },
    { target: "b-003", amount: "0", after: String(eth("0.05")), state: "enough" },
  ]);
  expect(world.sent).toEqual([
    { to: addressOf(1), value: eth("0.1") },
    { to: addressOf(2), value: eth("0.08") },
  ]);
});

test("counts what an earlier run sent until the chain shows it, and then the balance", async () => {
  const world = toppingWorld();
  await world.run(LINE);
  const again = await exited({ exitCode: 0 }, world.run(`${LINE} -o json`));
  expect(rowsIn(again)[0]).toMatchObject({ balance: "0", pending: String(eth("0.1")), state: "enough" });
  expect(world.sent).toHaveLength(3);
  expect(again.stderr).toContain(
    "no balance is below 0.05 ETH in prod, counting what may still arrive at 3 of 3 addresses; nothing was sent",
  );
  await world.pass(600_000);
  const later = await world.run(`${LINE} -o json`);
  expect(later.stderr).toContain("no balance is below 0.05 ETH in prod; nothing was sent");
  expect(rowsIn(later)[0]).toMatchObject({
    balance: String(eth("0.1")),
    pending: "0",
    state: "enough",
  });
  expect(toppedUpTwice(world)).toEqual([]);
});

describe("an earlier top-up under another name of the service", () => {
  const at = (server: string): World => ({ config: { version: 1, contexts: { prod: { server, token: TOKEN } } } });
  const NAMES = ["http://localhost:8080", "http://[::1]:8080", "http://127.0.0.1:8080/behind"].map(at);
  const gone: Fault = async (request, answer) => {
    const isRecords = request.method === "GET" && /\/purse\/transactions/.test(request.target);
    return isRecords ? reply(200, { success: true, data: [], error: null }) : await answer();
  };
  const loses: Fault = async (request, answer) => {
    if (isSend(request)) throw lost();
    return await answer();
  };

  test.each([
    ["was accepted, and its record is gone", undefined],
    ["lost its responses", loses],
  ])("counts if it %s", async (_, fault) => {
    const world = toppingWorld();
    await world.run(LINE, fault);
    const [sent, first] = [[...world.sent], await world.run(`${LINE} -o json`, gone)];
    for (const name of NAMES) {
      const again = await exited(0, world.run(`${LINE} -o json`, gone, name));
      expect(rowsIn(again)).toEqual(rowsIn(first));
    }
    expect(world.sent).toEqual(sent);
  });

  test("does not count if another account paid, with a relayer of the same ID", async () => {
    const world = toppingWorld();
    await world.run(LINE);
    const from = addressOf(999);
    const entries = world.journal.entries.map((entry) =>
      entry.type === "outcome" ? { ...entry, after: { ...entry.after, from } } : entry,
    );
    const ran = await world.run(`${LINE} -o json --dry-run`, gone, {
      ...NAMES[0],
      journal: memoryJournal({ entries }),
    });
    expect(rowsIn(ran)[0]).toMatchObject({ pending: "0" });
  });

  test.each([
    ["the same", {}, 3],
    ["another", NAMES[0], 0],
  ])("settles lost requests of %s name only", async (_, name, settled) => {
    const world = toppingWorld();
    await world.run(LINE, loses);
    await world.pass(90 * 60_000);
    await world.run(LINE, gone, name);
    const isSettled = (entry: object) => "settledLater" in entry;
    expect(world.journal.entries.filter(isSettled)).toHaveLength(settled);
  });

  test("is the only one at a time", async () => {
    const world = toppingWorld(5);
    const both = await Promise.all([world.run(LINE), world.run(LINE, undefined, NAMES[0])]);
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 6]);
    expect(toppedUpTwice(world)).toEqual([]);
  });
});

test("counts what `tx send` has sent to the same address", async () => {
  const world = toppingWorld();
  await world.run(`tx send purse --to ${addressOf(1)} --value 0.06eth --speed fast --yes`);
  const ran = await world.run(`${LINE} -o json`);
  expect(rowsIn(ran)[0]).toMatchObject({ pending: String(eth("0.06")), state: "enough" });
});

test("shows the table, and asks one question with the sum", async () => {
  const world = toppingWorld();
  const line = LINE.replace(" --yes", "");
  const no = await exited({ exitCode: 3 }, world.run(line, undefined, { terminal: true, answers: [false] }));
  expect(no.questions).toEqual(["Send 0.3 ETH from purse in 3 top-ups in prod?"]);
  expect(no.stderr).toMatch(/TARGET +BALANCE +PENDING +AMOUNT +AFTER\n +b-001 +0 ETH +0 ETH +0.1 ETH +0.1 ETH\n/);
  await exited(0, world.run(line, undefined, { terminal: true, answers: [true] }));
  expect(world.sent).toHaveLength(3);
});

test("fits the table, the question, and the result in 60 columns", async () => {
  const world = toppingWorld();
  world.extra.set(addressOf(2), eth("0.02"));
  world.extra.set(addressOf(3), eth("0.06"));
  const shown = { terminal: true, columns: 60 };
  const line = `${LINE.replace(" --yes", "")} --color never`;
  const dry = await world.run(`${line} --dry-run`, undefined, shown);
  const no = await world.run(line, undefined, { ...shown, answers: [false] });
  const yes = await world.run(line, undefined, { ...shown, answers: [true] });
  const screens = [dry, no, yes].map(({ exitCode, questions, stdout, stderr }) =>
    [`exit ${exitCode}`, ...questions, stdout, stderr].join("\n"),
  );
  expect(screens.join("\n---\n")).toMatchSnapshot();
  const lines = screens.flatMap((screen) => screen.split("\n")).filter((text) => !text.includes("0x"));
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
});

test("skips an address that somebody else filled while the user was asked", async () => {
  const world = toppingWorld();
  const ran = await world.run(`${LINE} -o json`, async (request, answer) => {
    if (request.body?.includes("eth_estimateGas")) world.extra.set(addressOf(2), eth("0.07"));
    return await answer();
  });
  expect(ran.exitCode).toBe(0);
  expect(statesIn(ran)).toEqual(["sent", "skipped", "sent"]);
  expect(ran.stderr).toContain("note: b-002 has 0.07 ETH now, and is skipped");
  expect(world.sent.map(({ to }) => to)).toEqual([addressOf(1), addressOf(3)]);
});

test("reads balances and sends nothing with --dry-run", async () => {
  const world = toppingWorld();
  const ran = await exited(0, world.run(`${LINE.replace(" --yes --max-total 2.9eth", "")} --dry-run -o json`));
  expect(statesIn(ran)).toEqual(["waiting", "waiting", "waiting"]);
  expect(world.sent).toEqual([]);
  expect(world.journal.entries).toEqual([]);
});

test("--below is half of --to-balance by default", async () => {
  const world = toppingWorld(2);
  world.extra.set(addressOf(1), eth("0.05") - 1n);
  world.extra.set(addressOf(2), eth("0.05"));
  const ran = await world.run(`${LINE.replace(" --below 0.05eth", "")} -o json`);
  expect(statesIn(ran)).toEqual(["sent", "enough"]);
});

describe("who is topped up", () => {
  test.each([
    ["relayers by ID", "b-002", [addressOf(2)]],
    ["labels", "@ops", [`0x${"5".repeat(39)}1`]],
    ["both", "b-001 @ops", [addressOf(1), `0x${"5".repeat(39)}1`]],
    ["relayers by a condition", "--where name=b-003", [addressOf(3)]],
  ])("%s", async (_, words, receivers) => {
    const world = toppingWorld();
    await exited(0, world.run(`${LINE} ${words}`));
    expect(world.sent.map(({ to }) => to)).toEqual(receivers);
  });

  test.each([
    ["a relayer of another network", "p-1", 2, "is on polygon, and purse pays on base"],
    ["the purse", "purse", 2, "is the purse"],
    ["the purse's address", "@mine", 2, "is the purse"],
    ["an unknown relayer", "b-999", 5, "relayer not found: b-999"],
    ["an unknown label", "@nobody", 2, "@nobody"],
  ])("refuses %s", async (_, words, exitCode, text) => {
    const world = toppingWorld();
    await exitedSaying({ exitCode }, world.run(`${LINE} ${words}`), text);
    expect(world.sent).toEqual([]);
  });

  test("an address that two relayers share is topped up once", async () => {
    const world = toppingWorld(2);
    const ran = await world.run(LINE, async (request, answer) => {
      const replied = await answer();
      if (!request.target.startsWith("/api/v1/relayers?")) return replied;
      const text = new TextDecoder().decode(replied.body).replace(addressOf(2), addressOf(1));
      return { ...replied, body: new TextEncoder().encode(text) };
    });
    expect(ran.stderr).toContain("note: b-002 has the address of b-001, which is topped up once");
    expect(world.sent).toEqual([{ to: addressOf(1), value: eth("0.1") }]);
  });

  test("nobody is low", () =>
    exitedSaying({ exitCode: 0 }, toppingWorld(0).run(LINE), "no relayer to top up in prod; nothing was sent"));
});

describe("what is refused", () => {
  test.each([
    ["--yes without --max-total", LINE.replace(" --max-total 2.9eth", ""), "requires --max-total"],
    ["--below above --to-balance", LINE.replace("0.05eth", "0.2eth"), "is above --to-balance"],
    ["an amount of nothing", LINE.replace("0.1eth", "0eth"), "must be above 0"],
    ["another coin", LINE.replace("2.9eth", "2.9pol"), "pol"],
    ["no purse", LINE.replace(" --from purse", ""), "--from"],
    ["a field that is not printed", `${LINE} -o json --fields network`, "network"],
  ])("%s", async (_, line, text) => {
    const world = toppingWorld();
    await exitedSaying({ exitCode: 2 }, world.run(line), text);
    expect(world.sent).toEqual([]);
  });

  test("a sum above --max-total", async () => {
    const world = toppingWorld();
    const ran = await exited({ exitCode: 3 }, world.run(LINE.replace("2.9eth", "0.29eth")));
    expect(ran.stderr).toContain("the sum, 0.3 ETH, is above --max-total, 0.29 ETH");
    expect(world.sent).toEqual([]);
  });

  test("a script without consent, with the line to type", async () => {
    const world = toppingWorld(1);
    await exitedSaying(3, world.run(LINE.replace(" --yes --max-total 2.9eth", "")), "--max-total 0.1eth --yes");
    expect(world.sent).toEqual([]);
  });

  test("a protected context without its name, which --yes does not replace", async () => {
    const world = toppingWorld(1, { rules: { protected: true } });
    expect((await world.run(LINE)).exitCode).toBe(3);
    expect(world.sent).toEqual([]);
    expect((await world.run(LINE.replace("--yes", "--confirm prod"))).exitCode).toBe(0);
    expect(world.sent).toHaveLength(1);
  });

  test("payments beyond the limits of the context without its name", async () => {
    const world = toppingWorld(1, { rules: { max_value: { eth: String(eth("0.05")) } } });
    await exitedSaying(3, world.run(LINE), "b-001: ");
    await exited(3, world.run(LINE.replace("--yes", "--confirm prod")));
    expect(world.sent).toEqual([]);
    await exited(0, world.run(`${LINE} --confirm prod`));
    expect(world.sent).toHaveLength(1);
  });

  test.each([
    ["would keep less than its minimum", "2.75", "0"],
    ["has less than the sum", "0.01", "2.8"],
  ])("a purse that %s", async (_, least, spent) => {
    const world = toppingWorld(3, { policies: { min_balance: String(eth(least)) } });
    world.extra.set(PURSE, -eth(spent));
    await exitedSaying(6, world.run(LINE), `purse cannot pay this and keep its minimum of ${least} ETH`);
    expect(world.sent).toEqual([]);
  });

  test("a paused purse", async () => {
    const world = toppingWorld();
    await world.run("relayers pause purse");
    expect((await world.run(LINE)).exitCode).toBe(6);
    expect(world.sent).toEqual([]);
  });
});

test.each([
  [1, 9, "the balance of b-002 could not be read", []],
  [2, 12, "b-002 refused: the response to eth_getBalance is not what that method returns", [1, 3]],
])(
  "a balance that is unreadable at read %i fails that target by its name, and pays nothing unread",
  async (nth, exitCode, words, paid) => {
    const world = toppingWorld();
    let reads = 0;
    const ran = await world.run(LINE, async (request, answer) => {
      const { id, method, params } = request.target.endsWith("/rpc") ? JSON.parse(request.body ?? "{}") : {};
      const isBroken = method === "eth_getBalance" && params[0] === addressOf(2) && ++reads >= nth;
      return isBroken ? reply(200, { jsonrpc: "2.0", id, result: `0x${"f".repeat(65)}`, error: null }) : await answer();
    });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toContain(words);
    expect(world.sent.map(({ to }) => to)).toEqual(paid.map(addressOf));
  },
);

test("a node of another chain is refused by that reason", async () => {
  const world = toppingWorld();
  const ran = await world.run(LINE, async (request, answer) => {
    const { id, method } = request.target.endsWith("/rpc") ? JSON.parse(request.body ?? "{}") : {};
    return method === "eth_chainId" ? reply(200, { jsonrpc: "2.0", id, result: "0x5", error: null }) : await answer();
  });
  expect([ran.exitCode, world.sent]).toEqual([9, []]);
  expect(ran.stderr).toContain("error: the node of purse is on chain 5, the network is chain 8453\n");
});

test("the purse stays above its minimum if somebody else spends from it in between", async () => {
  const least = eth("0.95");
  const world = toppingWorld(20, { policies: { min_balance: String(least) } });
  const ran = await world.run(`${LINE} -o json`, async (_, answer) => {
    if (world.sent.length === 1) world.extra.set(PURSE, -eth("0.15"));
    return await answer();
  });
  expect(ran.exitCode).toBe(12);
  expect(ran.stderr).toContain("purse cannot pay this and keep its minimum of 0.95 ETH");
  expect(sumOf(world)).toBe(eth("1.8"));
  await world.pass(600_000);
  expect(await world.balance(PURSE)).toBeGreaterThanOrEqual(least);
});

const MANY = DEEP ? 200 : 40;

test("hundreds of relayers are topped up once, by two commands at the same time", async () => {
  const world = toppingWorld(MANY);
  const line = LINE.replace("0.1eth", "0.01eth").replace("0.05eth", "0.005eth");
  const both = await Promise.all([world.run(line), world.run(line)]);
  expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 6]);
  expect(world.sent).toHaveLength(MANY);
  expect((await world.run(line)).exitCode).toBe(0);
  expect(toppedUpTwice(world)).toEqual([]);
  expect(sumOf(world)).toBe(BigInt(MANY) * eth("0.01"));
});

test("counts a lost payment of `api` whose amount is a JSON number, with all its digits", async () => {
  const world = toppingWorld(1);
  const journal = worldJournal(opened().journal);
  const body = `{"to":"${addressOf(1)}","value":99999999999999999,"gas_limit":21000,"speed":"fast"}`;
  const line = "api POST /relayers/purse/transactions -f pay.json --yes";
  await exited(11, world.run(line, loseRequest, { journal, files: { "pay.json": body } }));
  const ran = await exited(0, world.run(`${LINE} -o json`, undefined, { journal }));
  expect(rowsIn(ran)).toMatchObject([{ pending: "99999999999999999", state: "enough" }]);
  expect(world.sent).toEqual([]);
});

test("records no outcome in a journal that lost lines", async () => {
  const world = toppingWorld(1);
  const disk = opened();
  const journal = worldJournal(disk.journal);
  const late: WireRequest[] = [];
  const delay: Fault = async (request, answer) => {
    if (isSend(request)) late.push(request);
    return await loseRequest(request, answer);
  };
  await exited(11, world.run(LINE, delay, { journal }));
  for (const request of late) await world.apply(request);
  const kept = disk.lines();
  await world.run("relayers update purse --name Treasury", undefined, { journal });
  disk.write(kept);
  await exited(0, world.run(LINE, undefined, { journal }));
  expect(disk.lines()).toEqual(kept);
  expect(world.sent).toHaveLength(1);
});
