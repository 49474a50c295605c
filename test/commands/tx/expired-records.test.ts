import type { WireRequest } from "../../../src/contract/wire.ts";
import { EARLIER, FOREIGN, ORIGINAL, PUT, record, TRANSFER } from "../../chain/verdict/records.ts";
import { DEEP, sampled } from "../../helpers/deep.ts";
import { printedError } from "../../helpers/exited.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { receiver } from "../../helpers/payouts.ts";
import { reply } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { type Fault, isSend } from "./once/keyed-world.ts";
import { LINE, payingWorld } from "./send-many/paying-world.ts";
import { run } from "./waiting-service.ts";

const PENDING = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const SENT = /the journal shows that it was sent, so the service deleted its record/;

test("every command speaks of what was sent although the service has deleted its record, and sends nothing again", async () => {
  const world = payingWorld(2, memoryJournal(), {}, { expireAfter: 1_000 });
  if (DEEP) await world.run(`${LINE} --wait`);
  const sent = await world.run(`tx send base-hot --to ${receiver(3)} --value 1gwei --speed fast -o json --yes`);
  const { id } = JSON.parse(sent.stdout);
  await world.run(`tx replace eth-main-1 ${PENDING} --to ${receiver(3)} --value 7wei --yes`);
  await world.pass(600_000);
  const { hash } = JSON.parse((await world.run(`tx wait eth-main-1 ${PENDING} -o json`)).stdout)[0];
  const paid = [...world.paid];
  const lines = [
    [`tx wait base-hot ${id} -o ndjson`, 0, /"event":"ended".*"verdict":"confirmed".*its record expired/],
    [`tx wait base-hot ${id} -o json`, 0, /"verdict": "confirmed"[\s\S]*its record expired/],
    [`tx wait base-hot ${id} --no-chain`, 15, /the record was deleted/],
    ...(DEEP ? [[`${LINE} --resume --wait -o json`, 0, /its record expired/] as const] : []),
    [`find ${id} -o json`, 0, /confirmed by the chain, its record expired/],
    ["find 7 -o json", 0, /confirmed by the chain, its record expired/],
    [`find ${PENDING} -o json`, 0, /confirmed by the chain, its record expired/],
    [`find ${hash} -o json`, 0, /confirmed by the chain, its record expired|tx.replace/],
    [`find ${id.replace(/^7/, "8")}`, 5, /deletes records of ended transactions, so it may still have been sent/],
    ["find 99", 5, /deletes records of ended transactions, so it may still have been sent/],
    [`tx get base-hot ${id}`, 5, SENT],
    [`tx get base-hot ${id} --on-chain`, 5, SENT],
    [`tx get base-hot ${id}`, 5, /tx wait base-hot/],
    [`tx bump base-hot ${id} --yes`, 5, SENT],
    [`tx cancel base-hot ${id} --yes`, 5, SENT],
    [`tx replace base-hot ${id} --to ${receiver(3)} --value 1gwei --yes`, 5, SENT],
    ["undo --yes", 6, /sent, replaced, and canceled transactions can't be undone/],
    ["history settle", 0, /no outcome is unknown/],
  ] as const;
  for (const [line, exitCode, says] of sampled(lines, 5)) {
    const { exitCode: ended, stdout, stderr } = await world.run(line);
    expect([line, ended, `${stdout}${stderr}`]).toEqual([line, exitCode, expect.stringMatching(says)]);
  }
  expect(world.paid).toEqual(paid);
});

test("an ID that never existed was not sent because a write of it was refused before", async () => {
  const world = payingWorld(2, memoryJournal());
  for (const line of ["api DELETE /relayers/base-hot/transactions/typo --yes", "tx get base-hot typo"])
    for (let repeated = 0; repeated < 2; repeated++) {
      const { exitCode, stderr } = await world.run(line);
      expect([exitCode, stderr]).toEqual([5, expect.not.stringMatching(SENT)]);
    }
});

const KEYED = `tx send base-hot --to ${receiver(3)} --value 1gwei --speed fast --once k --yes`;

test.each([
  [KEYED, 0, /hash\t0x/, 0],
  [`${KEYED} --wait`, 0, /"verdict":"confirmed"/, 1],
  [`${KEYED} -o json`, 0, /"hash": "0x[^}]*"status": null|"status": null[^}]*"hash": "0x/, 1],
  [`${KEYED} --wait --no-chain`, 15, /the record was deleted/, 0],
])(
  "a key of a payment whose record was deleted shows what the chain has, and pays nothing: %s",
  async (line, code, says, turn) => {
    const lostResponse: Fault = async (request, answer) => {
      const answered = await answer();
      if (isSend(request)) throw lost();
      return answered;
    };
    for (const fault of sampled([undefined, lostResponse], 2, turn)) {
      const world = payingWorld(2, memoryJournal(), {}, { expireAfter: 1_000 });
      await world.run(KEYED, fault);
      await world.pass(600_000);
      const paid = [...world.paid];
      for (let repeated = 0; repeated < 2; repeated++) {
        const { exitCode, stdout, stderr } = await world.run(line);
        expect([exitCode, `${stdout}${stderr}`]).toEqual([code, expect.stringMatching(says)]);
        expect(stderr).toMatch(/already sent in .*, whose record the service deleted; nothing was sent now/);
        const [, next = ""] = /follow: relayctl -c prod (tx wait .*)/.exec(stderr) ?? [];
        if (next !== "") expect(await world.run(next)).toMatchObject({ exitCode: 0 });
        if (fault && line.endsWith("json"))
          expect(JSON.parse(stdout)).toMatchObject({ id: null, hash: expect.stringMatching(/^0x/) });
      }
      expect([paid.length, world.paid]).toEqual([1, paid]);
    }
  },
);

test.each([
  ["the list of transactions", /^GET \/api\/v1\/relayers\/base-hot\/transactions\?/],
  ["the relayer", /^GET \/api\/v1\/relayers\/base-hot$/],
])("a wait for a deleted record continues while %s cannot be read", async (_, unread) => {
  const world = payingWorld(2, memoryJournal(), {}, { expireAfter: 1_000 });
  const sent = await world.run(`tx send base-hot --to ${receiver(3)} --value 1gwei --speed fast -o json --yes`);
  const line = `tx wait base-hot ${JSON.parse(sent.stdout).id} --deadline 60s -o json`;
  await world.pass(600_000);
  const began = world.clock.now();
  const until = (end: number): Fault => {
    const isRefused = ({ method, target }: WireRequest) =>
      world.clock.now() < end && unread.test(`${method} ${target}`);
    return async (request, answer) => (isRefused(request) ? reply(500, { success: false }) : await answer());
  };
  const late = await world.run(line, until(Number.POSITIVE_INFINITY));
  expect([late.exitCode, world.clock.now() - began]).toEqual([15, expect.toSatisfy((took) => took >= 59_000)]);
  const { exitCode, stdout } = await world.run(line, until(world.clock.now() + 10_000));
  expect([exitCode, JSON.parse(stdout)[0].verdict]).toEqual([0, "confirmed"]);
});

test("find shows who used a nonce that the journal does not show", async () => {
  const world = payingWorld(2, memoryJournal(), {}, { expireAfter: 1_000 });
  const sent = await world.run(`tx send base-hot --to ${receiver(3)} --value 1gwei --speed fast -o json --yes`);
  const { id, nonce } = JSON.parse(sent.stdout);
  await world.pass(600_000);
  const { stdout } = await world.run("audit base-hot -o json");
  const [{ nonce: used }] = JSON.parse(stdout).slice(-1);
  const ran = await world.run(`find ${used} -o json`);
  expect([nonce, ran.exitCode]).toEqual([null, 0]);
  expect(JSON.parse(ran.stdout)).toMatchObject([{ id, what: "mined by the chain, its record expired" }]);
});

const SECOND = { hash: PUT, nonce: 5 };
const OTHER = `0x${"aa".repeat(20)}`;
const TRANSACTIONS = [...EARLIER, { ...TRANSFER, block: 90 }, { ...TRANSFER, ...SECOND, block: 91 }];

test("a record that changes its nonce, and was mined with both, ends with 14 and the command that shows both", async () => {
  const { exitCode, stderr } = await run("tx wait evm-1 tx-1 -o json", {
    record: (second) => record(second < 5 ? {} : SECOND),
    chain: (second) => ({ height: 100, transactions: second < 5 ? EARLIER : TRANSACTIONS }),
  });
  expect(exitCode).toBe(14);
  const { details, hint } = printedError(stderr);
  expect(details).toMatchObject([
    { given: "earlier_version", rule: `it was mined twice: ${ORIGINAL} with nonce 4, and ${PUT} with nonce 5` },
  ]);
  expect(hint).toBe(`relayctl tx get evm-1 tx-1 --on-chain --was ${ORIGINAL}`);
});

test("a nonce that a payment to somebody else used is not called a known version by the command that shows it", async () => {
  const { exitCode, stderr } = await run("tx wait evm-1 tx-1 -o json", {
    record: () => record({ status: "failed", status_reason: "Nonce 4 consumed externally" }),
    chain: () => ({ transactions: [...EARLIER, { ...TRANSFER, hash: FOREIGN, to: OTHER, value: 1n, block: 90 }] }),
  });
  expect(exitCode).toBe(14);
  expect(printedError(stderr)).toMatchObject({
    details: [{ rule: "another transaction used its nonce, perhaps an earlier version of it" }],
    hint: "relayctl tx get evm-1 tx-1 --on-chain",
  });
});
