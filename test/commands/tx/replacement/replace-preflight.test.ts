import { SERIALIZED } from "../../../contract/solana-transaction.ts";
import { cli, exits, says } from "../../../helpers/cli.ts";
import { replacementIn, STAYS_VALID } from "../../../helpers/receipts.ts";
import { reply } from "../../../helpers/service/reply.ts";
import {
  answering,
  EARLIER,
  evmRecord,
  HASH,
  NOOP,
  OWN,
  one,
  relayerRecord,
  solanaRecord,
  stellarRecord,
  TO,
} from "../wire.ts";

const ID = "314029b7-9b9b-4c3b-b61a-c71e85190346";
const PATH = `/relayers/evm-1/transactions/${ID}`;
const REPLACE = `tx replace evm-1 ${ID}`;
const PAYMENT = `--to ${TO} --value 1gwei --gas-limit 21000`;

/** The response to a replacement: other members, the service's own prices, and a new hash (facts 5.4, 13.7). */
const replaced = (fields: object) =>
  evmRecord({
    max_fee_per_gas: "11550000000",
    max_priority_fee_per_gas: "550000000",
    hash: EARLIER,
    ...fields,
  });

const service = (
  record: object,
  policies: object = {},
  after: object = replaced({ value: "0x3b9aca00", speed: "fast" }),
) =>
  answering({
    [`GET ${PATH}`]: one(record),
    "GET /relayers/evm-1": one(relayerRecord({ policies: { gas_limit_estimation: true, ...policies } })),
    [`PUT ${PATH}`]: one(after),
  });

describe("before a replacement is sent", () => {
  test("reads the transaction and the relayer, and sends a valid replacement", async () => {
    const ran = await exits(0, `${REPLACE} ${PAYMENT} --speed fast --yes`, { service: service(evmRecord()) });
    expect(ran.requests.map(({ method, target }) => `${method} ${target.replace("/api/v1", "")}`)).toEqual([
      `GET ${PATH}`,
      "GET /relayers/evm-1",
      "GET /networks/evm%3Alocal",
      "GET /networks/evm%3Alocal",
      // The receiver is a test account.
      "GET /networks/evm%3Alocal",
      `PUT ${PATH}`,
    ]);
    expect(ran.stderr).toContain("note: the coin of local is unknown; its amounts are in wei\n");
    expect(ran.stderr).toMatch(new RegExp(`^${replacementIn(".*")}before: ${HASH} {2}now: ${EARLIER}$`, "m"));
  });

  test.each([true, false])(
    "reports that the replacement takes the place of a cancellation in progress: %s",
    async (is_canceled) => {
      const before = evmRecord({ ...NOOP, is_canceled });
      const ran = await cli(`${REPLACE} ${PAYMENT} --speed fast --yes`, { service: service(before) });
      expect([ran.exitCode, ran.writes.length]).toEqual([0, 1]);
      expect(ran.stderr.includes("the cancellation is in progress: a replacement takes its place")).toBe(is_canceled);
    },
  );

  test.each<[string, object, object, string, number, string]>([
    [
      "a receiver that is not whitelisted",
      {},
      { whitelist_receivers: [OWN] },
      "--speed fast",
      2,
      `--to ${TO}: Transaction target address is not whitelisted; allowed: the relayer itself, the zero address, ${OWN}\n  hint: relayctl relayers get evm-1\n`,
    ],
    [
      "a price above the cap",
      {},
      { gas_price_cap: 80_000_000_000 },
      "--gas-price 81gwei",
      2,
      "--gas-price 81gwei = 81000000000 wei: Gas price is too high; the relayer's cap is 80 gwei\n  hint: relayctl relayers get evm-1\n",
    ],
    [
      "a final status",
      { status: "mined" },
      {},
      "--speed fast",
      6,
      `Invalid transaction state for replace_transaction. Current: Mined, Expected one of: [Pending, Sent, Submitted]\n  nothing was sent\n  hint: relayctl tx get evm-1 ${ID}\n`,
    ],
  ])("rejects %s with the message of the rule", async (_, record, policies, flags, exitCode, words) => {
    const ran = await cli(`${REPLACE} ${PAYMENT} ${flags} --yes`, { service: service(evmRecord(record), policies) });
    expect(ran).toMatchObject({ exitCode, writes: [], stdout: "" });
    expect(ran.stderr).toContain(words);
  });

  test("finds a whitelisted address in any case, and accepts the relayer itself and zero", async () => {
    const listed = { whitelist_receivers: [TO.toUpperCase().replace("0X", "0x")] };
    for (const to of [TO, OWN, `0x${"0".repeat(40)}`]) {
      const after = replaced({ value: "0x1", to, speed: "fast" });
      const line = `${REPLACE} --to ${to} --value 1 --speed fast --yes`;
      expect(await cli(line, { service: service(evmRecord(), listed, after) })).toMatchObject({ exitCode: 0 });
    }
  });

  test("rejects a body of another network type", async () => {
    const line = `${REPLACE} --network testnet --transaction-xdr AAAA --yes`;
    expect(await cli(line, { service: service(evmRecord()) })).toMatchObject({
      exitCode: 2,
      writes: [],
      stderr: expect.stringContaining(
        "is an EVM relayer, and this is a Stellar transaction\n  hint: relayctl relayers get evm-1\n",
      ),
    });
  });

  test("refuses to replace a transaction without a price, unless forced", async () => {
    const record = evmRecord({ status: "pending", hash: null, max_fee_per_gas: null, max_priority_fee_per_gas: null });
    const error = "Unable to calculate sufficient price bump for speed-based replacement";
    const refusing = answering({
      [`GET ${PATH}`]: one(record),
      "GET /relayers/evm-1": one(relayerRecord()),
      [`PUT ${PATH}`]: reply(400, { success: false, data: null, error }),
    });
    const words = "the transaction has no price yet, and services up to v1.8 cannot replace it before\n";
    const ran = await cli(`${REPLACE} ${PAYMENT} --speed fast --yes`, { service: refusing });
    expect([ran.exitCode, ran.writes]).toEqual([6, []]);
    expect(ran.stderr).toBe(
      [
        `error: ${words}  nothing was sent`,
        `  wait until it is broadcast: relayctl tx wait evm-1 ${ID} --for broadcast`,
        `  cancel it: relayctl tx cancel evm-1 ${ID}`,
        "  send the replacement anyway: --force\n",
      ].join("\n"),
    );
    const forced = await cli(`${REPLACE} ${PAYMENT} --speed fast --yes --force`, { service: refusing });
    expect([forced.exitCode, forced.writes.length]).toEqual([6, 1]);
    expect(forced.stderr).toContain(`warning: ${words}`);
    expect(forced.stderr).toContain(`error: ${error}\n`);
  });

  test("reports missing routes, and sends the typed body", async () => {
    const ran = await exits(0, `${REPLACE} --value 5 --yes`, {
      service: answering({ [`PUT ${PATH}`]: one(replaced({ value: "5" })) }),
    });
    expect(ran.stderr).toContain(
      "note: this service cannot return a single transaction; its current values are unknown\n",
    );
    expect(ran.writes.map(({ body }) => body)).toEqual(['{"value":5}']);
  });

  test("warns that Stellar changes nothing, and that Solana is refused", async () => {
    const xlm = "/relayers/xlm-1/transactions/x";
    const record = stellarRecord({ id: "x" });
    const stellar = answering({
      [`GET ${xlm}`]: one(record),
      "GET /relayers/xlm-1": one({ id: "xlm-1", network_type: "stellar" }),
      [`PUT ${xlm}`]: one(record),
    });
    const ran = await exits(14, "tx replace xlm-1 x --network testnet --transaction-xdr AAAAAgAAAAA= --yes", {
      service: stellar,
    });
    expect(ran.stderr.split("\n").slice(0, 3)).toEqual([
      "note: services up to v1.8 do not replace Stellar transactions: they report success and change nothing",
      "error: the service reported success but replaced nothing",
      "  the service does not replace Stellar transactions: the hash is unchanged",
    ]);
    expect(ran.stderr).toMatch(/\n {2}hint: relayctl tx get xlm-1 x\n$/);
    const sol = "/relayers/sol-1/transactions/s1";
    const refusing = answering({
      [`GET ${sol}`]: one(solanaRecord()),
      "GET /relayers/sol-1": one({ id: "sol-1", network_type: "solana" }),
      [`PUT ${sol}`]: reply(400, {
        success: false,
        data: null,
        error: "Endpoint is not supported for Solana relayers",
      }),
    });
    const refused = await exits(7, `tx replace sol-1 s1 --transaction ${SERIALIZED} --yes`, { service: refusing });
    expect(refused.stderr).toContain(
      "note: services up to v1.8 do not replace Solana transactions: they reject the request\n",
    );
  });
});

describe("--inherit", () => {
  const CALL = { data: "0xdeadbeef", gas_limit: 65_000, value: "0xde0b6b3a7640000" };
  const sent = ({ writes }: { writes: readonly { body?: string }[] }) =>
    writes.map(({ body }) => JSON.parse(body ?? ""));

  test("copies missing fields, with amounts as integers with every digit", async () => {
    const after = replaced({ ...CALL, speed: "fastest" });
    const ran = await exits(0, `${REPLACE} --inherit --speed fastest --yes`, {
      service: service(evmRecord(CALL), {}, after),
    });
    expect(ran.writes.map(({ body }) => body)).toEqual([
      `{"to":"${TO}","value":1000000000000000000,"data":"0xdeadbeef","gas_limit":65000,"speed":"fastest"}`,
    ]);
  });

  test.each<[string, object, object]>([
    ["--value 5 --speed fast", { to: TO, value: 5, data: "0xdeadbeef", gas_limit: 65_000, speed: "fast" }, {}],
    [
      "--no-gas-limit --speed fast",
      { to: TO, value: 5, data: "0xdeadbeef", gas_limit: null, speed: "fast" },
      { value: "5" },
    ],
    [
      `--to ${OWN} --speed fast`,
      { to: OWN, value: 5, gas_limit: 21_000, speed: "fast" },
      { value: 5, data: null, gas_limit: 21_000 },
    ],
    [
      "--speed fast",
      { value: 0, data: "0x60", gas_limit: 90_000, speed: "fast" },
      { to: null, value: "0x0", data: "0x60", gas_limit: 90_000 },
    ],
  ])("%s", async (flags, body, record) => {
    const after = replaced({ to: null, data: null, ...body });
    const ran = await exits(0, `${REPLACE} --inherit ${flags} --yes`, {
      service: service(evmRecord({ ...CALL, ...record }), {}, after),
    });
    expect(sent(ran)).toEqual([body]);
  });

  test("shows the old values next to the new ones, with copied fields marked as the same", async () => {
    const asked = { service: service(evmRecord(CALL)), terminal: true, answers: [false] };
    const { stderr } = await cli(`${REPLACE} --inherit --value 2eth --speed fastest`, asked);
    expect(stderr).toContain(`  to         ${TO}  same\n`);
    expect(stderr).toMatch(/^ {2}value {6}10{18} wei +20{18} wei$/m);
    expect(stderr).toMatch(/^ {2}gas limit {2}65000 +same$/m);
  });

  test("reads in a dry run, reports the read, and shows the body", async () => {
    const ran = await cli(`${REPLACE} --inherit --speed fast --dry-run`, { service: service(evmRecord(CALL)) });
    expect(ran).toMatchObject({ exitCode: 0, writes: [] });
    expect(ran.stdout).toContain(
      `{"to":"${TO}","value":1000000000000000000,"data":"0xdeadbeef","gas_limit":65000,"speed":"fast"}`,
    );
    expect(ran.stderr).toContain("the current state was read, nothing was changed");
  });

  test.each<[string, object | undefined]>([
    ["does not exist", reply(404, { success: false, data: null, error: `Transaction with ID ${ID} not found` })],
    ["cannot be read", undefined],
  ])("exits with 5 if the transaction %s", async (_, answer) => {
    const unreadable = answering(answer ? { [`GET ${PATH}`]: answer as ReturnType<typeof reply> } : {});
    const ran = await cli(`${REPLACE} --inherit --speed fast --yes`, { service: unreadable });
    expect(ran).toMatchObject({ exitCode: 5, writes: [], stdout: "" });
  });

  test.each([
    ["--network testnet", "--inherit: copies the fields of an EVM transaction:"],
    ["--transaction AQAB", "--inherit: copies the fields of an EVM transaction:"],
    ["--to 0x12 --speed fast", "--to 0x12: an address has 40 hex digits, this one has 2"],
    ["--speed quick", "--speed quick: one of"],
  ])("rejects %s before any read", (flags, words) =>
    says({ exitCode: 2, requests: [] }, `${REPLACE} --inherit ${flags} --yes`, words),
  );

  test("requires confirmation before anything is read", async () =>
    expect(await cli(`${REPLACE} --inherit --speed fast`)).toMatchObject({ exitCode: 3, requests: [] }));

  test("validates copied fields, and reports them as the transaction's", async () => {
    const bad = await cli(`${REPLACE} --inherit --speed fast --yes`, { service: service(evmRecord({ to: "0x12" })) });
    expect(bad).toMatchObject({ exitCode: 2, writes: [] });
    expect(bad.stderr).toContain("the transaction's to 0x12: an address has 40 hex digits");
    const noGas = service(evmRecord({ ...CALL, gas_limit: null }));
    expect(await cli(`${REPLACE} --inherit --speed fast --yes`, { service: noGas })).toMatchObject({
      exitCode: 2,
      writes: [],
      stderr: expect.stringContaining("the transaction's data: needs --gas-limit"),
    });
    const listed = service(evmRecord(), { whitelist_receivers: [OWN] });
    expect(await cli(`${REPLACE} --inherit --speed fast --yes`, { service: listed })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Transaction target address is not whitelisted"),
    });
  });

  test("copies a value of up to 256 bits", async () => {
    const value = String(2n ** 256n - 1n);
    const after = replaced({ value, data: null, speed: "fast" });
    const ran = await exits(0, `${REPLACE} --inherit --speed fast --yes`, {
      service: service(evmRecord({ value: `0x${"f".repeat(64)}` }), {}, after),
    });
    expect(ran.writes.map(({ body }) => body)).toEqual([expect.stringContaining(`"value":"${value}",`)]);
  });

  test.each([true, false, null])("does not copy a no-op: is_canceled %s", async (is_canceled) => {
    const ran = await cli(`${REPLACE} --inherit --speed fast --yes`, {
      service: service(evmRecord({ is_canceled, ...NOOP })),
    });
    expect(ran).toMatchObject({
      exitCode: 6,
      writes: [],
      stderr: expect.stringContaining(
        `its record has no transfer to copy\n  nothing was sent\n  hint: relayctl tx get evm-1 ${ID}\n`,
      ),
    });
  });

  test("rejects a transaction of another network type", async () => {
    const stellar = answering({
      [`GET ${PATH}`]: one(stellarRecord({ id: ID, relayer_id: "evm-1" })),
      "GET /relayers/evm-1": one(relayerRecord({ network_type: "stellar" })),
    });
    expect(await cli(`${REPLACE} --inherit --speed fast --yes`, { service: stellar })).toMatchObject({
      exitCode: 2,
      writes: [],
      stderr: expect.stringContaining("is a Stellar relayer, and this is an EVM transaction"),
    });
  });
});

describe("the note about the earlier version", () => {
  const UNSIGNED = evmRecord({ status: "pending", hash: null });
  const run = (before: object, after: object, more: object = {}) =>
    cli(`${REPLACE} ${PAYMENT} --speed fast${"terminal" in more ? "" : " --yes"}`, {
      service: service(before, {}, after),
      ...more,
    });

  test("of a broadcast transaction: it stays valid, and the new hash may change", async () => {
    const { stderr } = await run(evmRecord(), replaced({ value: "0x3b9aca00", speed: "fast" }));
    expect(stderr).toContain(`${STAYS_VALID}\n`);
    expect(stderr).toContain("the hash may change once more before the broadcast (services up to v1.8)\n");
  });

  test("of a transaction without a hash: it can't be mined, and the new hash is final", async () => {
    const after = replaced({ status: "pending", value: "0x3b9aca00", speed: "fast" });
    const { exitCode, stderr } = await run(UNSIGNED, after);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain(`before: no hash yet  now: ${EARLIER}\n`);
    expect(stderr).toContain("the earlier version was never signed: it can't be mined anymore\n");
    expect(stderr).not.toMatch(/stays valid|may change/);
    const asked = await run(UNSIGNED, after, { terminal: true, answers: [false] });
    expect(asked.stderr).toContain(
      "the earlier version is not signed yet: unless the service signs it first, it can't be mined\n",
    );
    expect(asked.stderr).not.toContain("stays valid");
  });

  test("of a transaction that was signed in between: there is no note", async () => {
    const { stderr } = await run(UNSIGNED, replaced({ status: "sent", value: "0x3b9aca00", speed: "fast" }));
    expect(stderr).not.toMatch(/stays valid|never signed/);
  });

  test("of an unreadable transaction: it stays valid if it was signed", async () => {
    const blind = answering({ [`PUT ${PATH}`]: one(replaced({ value: "0x3b9aca00", speed: "fast" })) });
    const { stderr } = await cli(`${REPLACE} ${PAYMENT} --speed fast --yes`, { service: blind });
    expect(stderr).toContain(`once signed, ${STAYS_VALID}\n`);
  });
});
