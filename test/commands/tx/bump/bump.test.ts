import type { Transport } from "../../../../src/client/transport/transport.ts";
import type { Transaction } from "../../../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import type { FakeChain } from "../../../chain/fake-chain.ts";
import { CANCELLATION, NOOP, ORIGINAL, PUT, record, THIRD, TO, TRANSFER } from "../../../chain/verdict/records.ts";
import { exited, printedError } from "../../../helpers/exited.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { inProd, SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { jam, TOO_LOW } from "../../relayers/unstick/jam.ts";
import { BUMPED, FAST, RESPONSE, SENT } from "../raised-cap/capped-relayer.ts";
import { run, type WaitStory } from "../waiting-service.ts";

const BUMP = "tx bump evm-1 tx-1 --yes";
const UNPRICED = {
  status: "pending",
  hash: null,
  nonce: null,
  max_fee_per_gas: null,
  max_priority_fee_per_gas: null,
};

/** Returns what the record shows: the original, the response, and two seconds later what was broadcast. */
function shown(second: number): Transaction {
  if (second === 0) return record();
  return second < 2 ? RESPONSE : SENT;
}

/** The chain before and after the bump is broadcast. */
const chain = (second: number): Partial<FakeChain> => ({
  transactions: second < 2 ? [TRANSFER] : [BUMPED],
  market: { baseFee: 10n ** 10n, tip: 10n ** 8n },
  balance: 10n ** 18n,
});

const story = (more: Partial<WaitStory> = {}): WaitStory => ({
  record: shown,
  written: () => RESPONSE,
  chain,
  ...CALM,
  ...more,
});
/** With blocks this slow, the market's price is the base fee and the tip. */
const CALM = { network: { average_blocktime_ms: 120_000 } };
const capped = (gas_price_cap: string) => ({ relayer: { policies: { gas_price_cap } } });
const only = (fields: object): Partial<WaitStory> => ({ record: (_, id) => (id === "tx-1" ? record(fields) : null) });

function sent({ writes }: { writes: readonly { method: string; target: string; body?: string | undefined }[] }) {
  return writes.filter(({ target }) => !target.endsWith("/rpc"));
}

test("sends the same transaction at the speed fastest, and reports what is on its way", async () => {
  const ran = await exited(0, run(BUMP, story()));
  expect(sent(ran).map(({ method, body }) => [method, body])).toEqual([
    ["PUT", `{"to":"${TO}","value":1000,"gas_limit":21000,"speed":"fastest"}`],
  ]);
  expect(ran.stderr).toContain(`before: ${ORIGINAL}  now: ${PUT}`);
  expect(ran.stderr).toContain(`on its way as ${THIRD} at 12.1 gwei, which the service signed after its response\n`);
  expect(ran.stderr).toContain("follow: relayctl tx wait evm-1 tx-1\n");
});

describe("refuses before anything is sent", () => {
  test.each<[string, string, Partial<WaitStory>, number, string]>([
    ["a cap that is too low", "", capped("11500000000"), 6, "never broadcast it below 12.1 gwei"],
    ["an empty balance", "", { chain: (second) => ({ ...chain(second), balance: 0n }) }, 6, "balance"],
    ["a price above --max-price", "--max-price 12gwei", {}, 6, "which is above --max-price 12 gwei"],
    [
      "a price above --max-price, whatever else is forced",
      "--force --max-price 2gwei",
      capped("11500000000"),
      6,
      "which is above --max-price 2 gwei",
    ],
    [
      "--max-price without a market",
      "--max-price 80gwei",
      { chain: () => ({}) },
      6,
      "so --max-price 80 gwei cannot be checked",
    ],
    ["a call without a gas limit", "", only({ data: "0xdeadbeef", gas_limit: null }), 6, "signed with 21000 gas"],
    ["a receiver that is not an address", "", only({ to: "0x12" }), 6, "can never be signed: 0x12"],
    ["a transaction that has ended", "", only({ status: "confirmed" }), 6, "tx-1 is confirmed"],
    ["a transaction without a price", "", only(UNPRICED), 6, "has no price yet"],
    ["a used nonce", "", { chain: () => ({ transactions: [{ ...TRANSFER, block: 50 }] }) }, 6, "nonce 4 is used"],
    ["a paused relayer", "", { relayer: { paused: true } }, 6, "Relayer paused"],
    ["a transaction of another relayer", "", only({ relayer_id: "evm-2" }), 2, "relayctl tx bump evm-2 tx-1"],
    ["a Stellar transaction", "", { relayer: { network_type: "stellar" } }, 2, "is a Stellar transaction"],
    ["a Solana transaction", "", { relayer: { network_type: "solana" } }, 2, "is a Solana transaction"],
    ["--every 0s", "--until mined --every 0s", {}, 2, "--every 0s: must be more than zero"],
    ["--every 1ms", "--until mined --every 1ms", {}, 2, "--every 1ms: must be at least 1s"],
    ["--times 0", "--until mined --times 0", {}, 2, "--times 0: a whole number from 1 to 100"],
    ["--every without --until", "--every 1m", {}, 2, "--every: has no effect without --until mined"],
    ["--max-price in another coin", "--max-price 1pol", {}, 2, "--max-price 1pol: the coin of"],
    ["--max-price 0gwei", "--max-price 0gwei", {}, 2, "--max-price 0gwei: must be more than zero"],
    ["IDs next to --stuck", "--stuck 10m", {}, 2, "--stuck: cannot be combined"],
  ])("%s", async (_, flags, more, exitCode, words) => {
    const ran = await exited(exitCode, run(`${BUMP} ${flags}`, story(more)));
    expect(ran.stderr).toContain(words);
    expect(sent(ran)).toEqual([]);
  });

  test("shows what helps against the cap", async () => {
    const { stderr } = await run(BUMP, story(capped("11500000000")));
    expect(stderr).toContain("raise the cap for this bump: relayctl tx bump evm-1 tx-1 --raise-cap\n");
    expect(stderr).not.toContain("next in line");
    expect(stderr).toContain("raise the cap: relayctl relayers update evm-1 --policy gas_price_cap=12.1gwei\n");
    expect(stderr).toContain("cancel it, which is not capped: relayctl tx cancel evm-1 tx-1\n");
    expect(stderr).toContain("send the replacement anyway: --force\n");
  });

  test("shows first what is next in line, then how to raise the cap", async () => {
    const { stderr } = await run(BUMP, story({ ...capped("11500000000"), ...only({ nonce: 9 }) }));
    const [first = "", second = ""] = stderr.split("\n").filter((line) => /^ {2}(?:free|raise)/.test(line));
    expect(first).toMatch(/^ {2}free nonce \d first, which is next in line: relayctl relayers unstick evm-1$/);
    expect(second).toContain("--raise-cap");
  });

  test.each([
    [BUMP, {}],
    [`${BUMP} -o json`, {}],
    [`${BUMP} --diff`, {}],
    [`${BUMP} --dry-run`, {}],
    [`${BUMP} --raise-cap`, capped("11500000000")],
    [`${BUMP} --raise-cap --dry-run`, capped("11500000000")],
  ])("shows what is next in line before it bumps anything else: %s", async (line, more) => {
    const { stderr } = await run(line, story({ ...more, ...only({ nonce: 9 }) }));
    const note = /^note: free nonce \d first, which is next in line: relayctl relayers unstick evm-1$/m;
    expect(stderr.split("\n").filter((each) => !each.includes("base fee"))[0]).toMatch(note);
    expect((await run(line, story(more))).stderr).not.toContain("next in line");
  });

  test("without consent", async () =>
    expect(await run("tx bump evm-1 tx-1", story())).toMatchObject({ exitCode: 3, requests: [] }));

  test("a transaction that another run has bumped in the meantime", async () => {
    let reads = 0;
    const ran = await exited(6, run(BUMP, story({ record: () => (reads++ === 0 ? record(FAST) : RESPONSE) })));
    expect(ran.stderr).toContain("tx-1 has changed since it was read: hash, max_fee_per_gas");
    expect(sent(ran)).toEqual([]);
  });
});

/** Lets runs continue only once each of them has read a transaction. */
function together(service: Transport, runs: number): Transport {
  let goOn = () => {};
  const all = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let reads = 0;
  return async (request, limits) => {
    const reply = await service(request, limits);
    if (request.method !== "GET" || !/transactions\/[^/?]+$/.test(request.target)) return reply;
    if (++reads === runs) goOn();
    await all;
    return reply;
  };
}

describe("two runs at once", () => {
  const RECORDED = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal" };
  const bumpTwice = async (journal: MemoryJournal, ids: readonly [string, string]) => {
    const { send, service, run: runIn } = jam();
    const sentIds = await send(TOO_LOW, TOO_LOW);
    const world = { journal, env: RECORDED, service: together(service, ids.length) };
    return await Promise.all(ids.map((at) => runIn(`tx bump local-1 ${sentIds[Number(at)]} --yes`, world)));
  };

  test("send one bump of a transaction, and the other run says that it has changed", async () => {
    const runs = await bumpTwice(memoryJournal(), ["0", "0"]);
    expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 6]);
    expect(runs.flatMap((ran) => sent(ran))).toHaveLength(1);
    const refused = runs.find(({ exitCode }) => exitCode === 6);
    expect(refused?.stderr).toContain("has changed since it was read");
  });

  test("of two transactions do not wait for each other", async () => {
    const runs = await bumpTwice(memoryJournal(), ["0", "1"]);
    expect(runs.flatMap((ran) => sent(ran))).toHaveLength(2);
  });

  test("are refused while another process keeps the lock", async () => {
    const held = { ...memoryJournal(), exclusively: () => Promise.reject(new RelayctlError("conflict", "in use")) };
    const [ran] = await bumpTwice(held, ["0", "1"]);
    expect(ran?.exitCode).toBe(6);
    expect(ran?.stderr).toMatch(/error: another run is sending transaction \S+ again\n {2}nothing was sent\n/);
    expect(sent(ran ?? { writes: [] })).toEqual([]);
  });
});

test("reads in a dry run, and shows the request", async () => {
  const ran = await exited(0, run("tx bump evm-1 tx-1 --dry-run", story()));
  expect(sent(ran)).toEqual([]);
  expect(ran.stdout).toContain(`{"to":"${TO}","value":1000,"gas_limit":21000,"speed":"fastest"}`);
});

test("sends what cannot work with --force, and reports that it is never broadcast", async () => {
  const stuck = { ...capped("11500000000"), record: (second: number) => (second > 0 ? RESPONSE : record()) };
  const ran = await run(`${BUMP} --force -o json`, story({ ...stuck, chain: () => ({ transactions: [TRANSFER] }) }));
  expect(ran.exitCode, ran.stderr).toBe(13);
  expect(sent(ran)).toHaveLength(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({ id: "tx-1", hash: PUT });
  const { code, applied, message } = printedError(ran.stderr);
  expect([code, applied]).toEqual(["unmet", "yes"]);
  expect(message).toContain(`what will be mined instead: ${ORIGINAL}`);
});

test("ends as pending if it is not seen on its way", async () => {
  const stays = { record: (second: number) => (second > 0 ? RESPONSE : record()) };
  const ran = await exited(15, run(BUMP, story({ ...stays, chain: () => ({ transactions: [TRANSFER] }) })));
  expect(sent(ran)).toHaveLength(1);
});

test("bumps the cancellation of a transaction that is being canceled", async () => {
  const canceled = record(CANCELLATION);
  const ran = await run(BUMP, {
    record: (second) => (second < 2 ? canceled : record({ ...CANCELLATION, hash: NOOP.hash })),
    written: () => canceled,
    chain: (second) => ({ transactions: [second < 2 ? TRANSFER : NOOP] }),
  });
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(sent(ran).map(({ method }) => method)).toEqual(["DELETE"]);
  expect(ran.stderr).toContain(`on its way as ${NOOP.hash}`);
});

test("does not know of the bump of a cancellation whether it arrived, since the record looked the same before", async () => {
  const ran = await run(BUMP, {
    record: () => record(CANCELLATION),
    written: () => {
      throw lost();
    },
    chain: () => ({ transactions: [TRANSFER] }),
  });
  expect(ran.exitCode, ran.stderr).toBe(11);
  expect(sent(ran)).toHaveLength(1);
});

test("asks with the prediction, and sends nothing without a yes", async () => {
  const world = { terminal: true, answers: [false] };
  const ran = await run("tx bump evm-1 tx-1 --until mined --max-price 80gwei", story(capped("80000000000")), world);
  expect(ran.exitCode).toBe(3);
  expect(sent(ran)).toEqual([]);
  expect(ran.stderr).toMatchInlineSnapshot(`
    "bump transaction tx-1 of evm-1 in http://127.0.0.1:8080
      to         0x3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c
      value      0.000000000000001 ETH
      gas limit  21000
      nonce      4
      fee now    10 gwei, tip 1 gwei
      new fee    at least 12.1 gwei, tip 1.21 gwei (the service quotes 11 gwei first)
      cap        80 gwei
      base fee   10 gwei (10 gwei when it was sent)
      queue      no transaction waits behind it
    bumped now, and again every 2m, 5 times at most, until mined, while the prediction is 80 gwei or less
    only the relayer's cap can guarantee the highest fee: 80 gwei
    the earlier version stays valid until one of the two is mined
    Canceled. Nothing was sent.
    "
  `);
});

describe("--wait", () => {
  test("waits until it is confirmed", async () => {
    const mined = (second: number) =>
      second < 9 ? chain(second) : { ...chain(second), transactions: [{ ...BUMPED, block: 90 }] };
    const ran = await exited(0, run(`${BUMP} --wait -o json`, story({ chain: mined })));
    expect(ran.stderr).toContain(`on its way as ${THIRD}`);
    expect(ran.stderr).toContain("confirmed: the version that the record shows is on the chain");
    expect(sent(ran)).toHaveLength(1);
  });

  test("is 13 if another command cancels it meanwhile, although the record then shows the mined transaction", async () => {
    const canceled = record({ ...CANCELLATION, hash: NOOP.hash });
    const mined = { ...NOOP, block: 90 };
    const ran = await run(`${BUMP} --wait -o json`, {
      ...story(),
      record: (second) => (second < 2 ? shown(second) : canceled),
      chain: (second) => ({ ...chain(second), ...(second >= 2 && { transactions: [mined] }) }),
    });
    expect(ran.exitCode, ran.stderr).toBe(13);
    expect(printedError(ran.stderr)).toMatchObject({ code: "unmet", applied: "yes" });
    expect(sent(ran)).toHaveLength(1);
  });

  test("waits first until the service has signed it", async () => {
    let reads = 0;
    const signedLater = (second: number) => (second === 0 && reads++ < 2 ? record(UNPRICED) : shown(second));
    const ran = await exited(0, run(`${BUMP} --wait --for broadcast -o json`, story({ record: signedLater })));
    expect(ran.stderr).toContain("note: tx-1 has no price yet; waiting until the service has signed it\n");
    expect(sent(ran)).toHaveLength(1);
  });
});

describe("several transactions", () => {
  const nonceOf = (id: string) => (id === "tx-1" ? 5 : 4);
  const of = (id: string, fields: object = {}) => record({ id, nonce: nonceOf(id), ...fields });
  const two = (id: string, found: () => Transaction) => (["tx-1", "tx-2"].includes(id) ? found() : null);
  const targets = (ran: Parameters<typeof sent>[0]) => sent(ran).map(({ target }) => target.split("/").at(-1));

  test("are bumped one after another, lowest nonce first", async () => {
    const bumped = new Set<string>();
    const replaced = (id: string) => ({ ...RESPONSE, id, nonce: nonceOf(id) });
    const both = story({
      record: (_, id) => two(id, () => (bumped.has(id) ? replaced(id) : of(id))),
      written: (id) => {
        bumped.add(id);
        return replaced(id);
      },
      chain: () => ({ transactions: [{ ...TRANSFER, hash: PUT }] }),
    });
    const ran = await exited(0, run("tx bump evm-1 tx-1 tx-2 --yes -o ndjson", both));
    expect(targets(ran)).toEqual(["tx-2", "tx-1"]);
    expect(ran.stderr).toContain("2 of 2 bumps accepted, 2 on their way\n");
    expect(ran.stderr).toContain("follow: relayctl tx wait evm-1 tx-2 tx-1\n");
  });

  test("are not bumped again by a printed command after Ctrl-C", async () => {
    const interrupt = new AbortController();
    const both = story({
      record: (_, id) => two(id, () => of(id)),
      written: (id) => {
        interrupt.abort("interrupted");
        return { ...RESPONSE, id, nonce: nonceOf(id) };
      },
    });
    const ran = await exited(130, run("tx bump evm-1 tx-1 tx-2 --yes", both, { interrupt: interrupt.signal }));
    expect(targets(ran)).toEqual(["tx-2"]);
    expect(ran.stderr).not.toContain("relayctl tx bump");
  });

  test("fail in part if one has changed", async () => {
    let reads = 0;
    const moved = story({
      record: (_, id) => two(id, () => of(id, id === "tx-1" && reads++ > 0 ? { hash: PUT } : {})),
    });
    const ran = await run("tx bump evm-1 tx-1 tx-2 --yes", {
      ...moved,
      written: (id) => ({ ...RESPONSE, id, nonce: nonceOf(id) }),
      chain: () => ({ transactions: [{ ...TRANSFER, hash: ORIGINAL }] }),
    });
    expect(ran.exitCode, ran.stderr).toBe(12);
    expect(targets(ran)).toEqual(["tx-2"]);
    expect(ran.stderr).toContain("tx-1 conflict: transaction tx-1 has changed since it was read");
  });

  test("are all refused if one of them cannot be bumped", async () => {
    const one = story({ record: (_, id) => two(id, () => of(id, id === "tx-2" ? { status: "mined" } : {})) });
    const ran = await exited(6, run("tx bump evm-1 tx-1 tx-2 --yes", one));
    expect(sent(ran)).toEqual([]);
    expect(ran.stderr).toContain("1 of 2 transactions cannot be bumped; nothing was sent");
    expect(ran.stderr).toContain("tx-2: transaction tx-2 is mined, so there is nothing to bump");
  });

  test("that are stuck are found, and what cannot be bumped is left out", async () => {
    const queue = story({ record: (second, id) => two(id, () => (id === "tx-1" ? shown(second) : of(id, UNPRICED))) });
    const ran = await exited(0, run("tx bump evm-1 --stuck 5m --yes", queue));
    expect(targets(ran)).toEqual(["tx-1"]);
    expect(ran.stderr).toContain("note: tx-2 is left out: the transaction has no price yet");
  });

  test.each([
    ["are not found if nothing is pending", "5m", () => null, "nothing is pending on evm-1"],
    [
      "are not found if none has been pending for as long",
      "10h",
      (_: number, id: string) => (id === "tx-1" ? record() : null),
      "for longer than 10h",
    ],
  ])("%s", async (_, stuck, found, words) => {
    const ran = await exited(6, run(`tx bump evm-1 --stuck ${stuck} --yes`, story({ record: found })));
    expect(ran.stderr).toContain(words);
    expect(sent(ran)).toEqual([]);
  });
});

describe("--until mined", () => {
  const UNTIL = `${BUMP} --until mined --every 1m --times 3 -o json`;

  test("bumps again until it is mined", async () => {
    const mined = (second: number) =>
      second < 80 ? chain(second) : { ...chain(second), transactions: [{ ...BUMPED, block: 90 }] };
    const ran = await exited(0, run(UNTIL, story({ chain: mined })));
    expect(sent(ran)).toHaveLength(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: "tx-1", hash: THIRD });
  });

  test("ends as pending after the last bump", async () => {
    const ran = await exited(15, run(UNTIL, story()));
    expect(sent(ran)).toHaveLength(3);
  });

  test("reads the chain after a bump that took longer than --every", async () => {
    const record = (second: number) => (second === 0 ? shown(second) : RESPONSE);
    const mined = (second: number) => ({
      ...chain(0),
      transactions: [second < 16 ? TRANSFER : { ...BUMPED, block: 90 }],
    });
    await exited(0, run(`${BUMP} --until mined --every 10s --times 1`, story({ record, chain: mined })));
  });

  test("keeps to --max-price", async () => {
    const ran = await exited(15, run(`${UNTIL} --max-price 14gwei`, story()));
    expect(ran.stderr).toContain("note: tx-1 is not bumped again: the bump would pay");
    expect(sent(ran)).toHaveLength(1);
  });
});

test("reads relayers and transactions from stdin", async () => {
  const ran = await exited(0, run("tx bump - --yes", story(), { stdin: "evm-1/tx-1\n" }));
  expect(sent(ran)).toHaveLength(1);
});

test("requires the name of a protected context", async () => {
  const world = inProd({ protected: true });
  expect(await run(BUMP, story(), world)).toMatchObject({ exitCode: 3, requests: [] });
  await exited(0, run("tx bump evm-1 tx-1 --confirm prod", story(), world));
});

test("asks the usual question beyond a limit, too", async () => {
  const world = inProd({ allow_to: ["0x1111111111111111111111111111111111111111"] });
  for (const flags of ["--yes", "--confirm prod"])
    expect(await run(`tx bump evm-1 tx-1 ${flags}`, story(), world), flags).toMatchObject({ exitCode: 3 });
  const asked = { ...world, terminal: true, answers: [false] };
  expect((await run("tx bump evm-1 tx-1 --confirm prod", story(), asked)).questions).toHaveLength(1);
  await exited(0, run("tx bump evm-1 tx-1 --yes --confirm prod", story(), world));
});
