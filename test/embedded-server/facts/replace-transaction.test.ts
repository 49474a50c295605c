import { replacementStyle } from "../../../src/embedded-server/openzeppelin/replace-transaction.ts";
import { LOCAL, START } from "../ask.ts";
import { localService, TO } from "../openzeppelin/local-service.ts";

const GWEI = 1_000_000_000;
/** What a fast transaction pays on the local chain. */
const FAST = 10_850_000_000;
const BUMPED = (FAST * 11) / 10;
const BUMPED_TWICE = (FAST * 121) / 100;
const TAGS = ["no-mempool", "arbitrum-based", "optimism-based", "optimism"];
const LOST = /^Nonce 0 consumed externally \(on-chain nonce: 1\)\. No matching transaction hash found on-chain\.$/;
const NOOP = { to: LOCAL, value: "0x0", is_canceled: true };

/** A transfer of 1 wei that was submitted, seen after 5 s. */
async function submitted(...changes: Parameters<typeof localService>) {
  const service = localService(...changes);
  const id = await service.send();
  const original = await service.record(id, 5);
  expect(original.status).toBe("submitted");
  return { ...service, id, original };
}

/** When the worker would send a replacement while the block with the original is being built, in seconds. */
function lastMoment({ state }: Pick<ReturnType<typeof localService>, "state">, signatures = 1): number {
  const [original] = state.chains.get("evm:localhost")?.waiting ?? [];
  const block = Math.ceil(((original?.at ?? 0) + 30_000 - START) / 1000);
  const { reprices = 0 } = replacementStyle(state.hashes + signatures);
  return block - (reprices + 250) / 1000;
}

const capped = (gas_price_cap: number) => ({ relayer: { policies: { eip1559_pricing: true, gas_price_cap } } });
const tagged = (tag: string) => ({ network: { tags: ["rollup", tag] } });

describe("a replacement of a submitted transaction", () => {
  test.each([
    ["no cap", {}],
    ["a cap of 1.22 times the fee", capped((FAST * 122) / 100)],
  ])("15.1: with %s is priced twice, sent under a third hash, and confirmed", async (_, changes) => {
    const { id, original, replace, record, byHash, minedAt } = await submitted(changes);
    const returned = await replace(id);
    expect(returned).toMatchObject({ status: "submitted", max_fee_per_gas: String(BUMPED) });
    const sent = await record(id, 9);
    expect(sent).toMatchObject({ status: "submitted", max_fee_per_gas: String(BUMPED_TWICE) });
    expect(new Set([original.hash, returned.hash, sent.hash]).size).toBe(3);
    expect(await byHash(returned.hash)).toBe(null);
    expect(await record(id, 120)).toMatchObject({ status: "confirmed", hash: sent.hash, value: "0x2" });
    expect(await minedAt(0)).toMatchObject({ hash: sent.hash, value: "0x2" });
  });

  test.each([1.15, 1.05, 1])("15.1: with a cap of %d times the fee is never sent, and stays submitted", async (cap) => {
    const { ask, id, original, replace, record, byHash, minedAt, setCap } = await submitted();
    await setCap(Math.round(FAST * cap));
    const returned = await replace(id);
    const phantom = { status: "submitted", hash: returned.hash, value: "0x2", max_fee_per_gas: String(BUMPED) };
    expect(returned).toMatchObject(phantom);
    expect(await record(id, 86_400)).toMatchObject(phantom);
    expect(await byHash(returned.hash)).toBe(null);
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
    expect((await ask("GET", "/relayers/local-1/status")).data.pending_transactions_count).toBe(1);
  });

  test.each([1, 0.9])(
    "15.1: with a cap of %d times the market's price is never sent, however cheap it is",
    async (cap) => {
      const service = localService();
      const id = await service.send({
        max_fee_per_gas: 2 * GWEI,
        max_priority_fee_per_gas: GWEI / 2,
        speed: undefined,
      });
      const original = await service.record(id, 5);
      await service.setCap(Math.round(FAST * cap));
      const phantom = { hash: (await service.replace(id)).hash, max_fee_per_gas: String(Math.round(FAST * cap)) };
      expect(await service.record(id, 3600)).toMatchObject({ ...phantom, status: "submitted", value: "0x2" });
      expect(await service.minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
    },
  );

  test("15.1: that a cap kept back fails once the cap is raised, although the original was mined", async () => {
    const { id, original, replace, record, setCap, at, minedAt } = await submitted();
    await setCap(Math.round(FAST * 1.05));
    const returned = await replace(id);
    at(480);
    await setCap(FAST * 10);
    const failed = await record(id, 1200);
    expect(failed).toMatchObject({ status: "failed", hash: returned.hash, value: "0x2" });
    expect(failed.status_reason).toMatch(LOST);
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
  });

  test.each(TAGS)("15.2: on a network tagged %s is refused by the node, and fails minutes later", async (tag) => {
    const { id, original, replace, record, byHash, minedAt } = await submitted(tagged(tag));
    const returned = await replace(id);
    expect(returned).toMatchObject({ status: "submitted", max_fee_per_gas: String(FAST) });
    expect(returned.hash).not.toBe(original.hash);
    expect(await record(id, 120)).toMatchObject({ status: "submitted", hash: returned.hash, value: "0x2" });
    expect(await byHash(returned.hash)).toBe(null);
    expect(await record(id, 600)).toMatchObject({ status: "failed", status_reason: expect.stringMatching(LOST) });
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
  });

  test("15.2: on a tagged network succeeds at a speed that pays a tenth more", async () => {
    const service = localService(tagged("optimism"));
    const id = await service.send({
      max_fee_per_gas: 2 * GWEI,
      max_priority_fee_per_gas: 0.5 * GWEI,
      speed: undefined,
    });
    await service.record(id, 5);
    await service.replace(id, { speed: "fastest" });
    expect(await service.record(id, 120)).toMatchObject({ status: "confirmed", value: "0x2" });
    expect(await service.minedAt(0)).toMatchObject({ value: "0x2" });
  });

  test("16.1: that was sent too late is confirmed minutes later, with the original's hash and its own values", async () => {
    const service = await submitted();
    const { id, original, replace, record, at, byHash, minedAt } = service;
    at(lastMoment(service));
    const returned = await replace(id);
    const sent = await record(id, 60);
    expect(sent).toMatchObject({ status: "submitted", value: "0x2" });
    expect(sent.hash).not.toBe(returned.hash);
    expect(await byHash(sent.hash)).toBe(null);
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
    expect(await record(id, 600)).toMatchObject({
      status: "confirmed",
      hash: original.hash,
      value: "0x2",
      max_fee_per_gas: String(BUMPED_TWICE),
      status_reason: null,
    });
  });

  test("16.1: that was sent too late is confirmed within 10 s of the next replacement", async () => {
    const service = await submitted();
    const { id, original, replace, record, at, minedAt } = service;
    at(lastMoment(service));
    await replace(id);
    expect((await record(id, 60)).status).toBe("submitted");
    await replace(id, { value: "3" });
    expect(await record(id, 70)).toMatchObject({ status: "confirmed", hash: original.hash, value: "0x3" });
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
  });
});

describe("a cancellation", () => {
  test("15.1: is sent whatever the cap, and the record is canceled", async () => {
    const { id, original, cancel, record, minedAt } = await submitted(capped(FAST));
    expect(await cancel(id)).toMatchObject({ ...NOOP, status: "submitted", hash: original.hash });
    const canceled = await record(id, 120);
    expect(canceled).toMatchObject({ ...NOOP, status: "canceled" });
    expect(BigInt(String(canceled.max_fee_per_gas))).toBeGreaterThan(BigInt(FAST));
    expect(await minedAt(0)).toMatchObject({ hash: canceled.hash, to: LOCAL, value: "0x0" });
  });

  test.each(TAGS)(
    "15.3: on a network tagged %s comes too late: the record is confirmed, with the original's hash",
    async (tag) => {
      const { id, original, cancel, record, minedAt } = await submitted(tagged(tag));
      await cancel(id);
      expect(await record(id, 120)).toMatchObject({ ...NOOP, status: "confirmed", hash: original.hash });
      expect(await minedAt(0)).toMatchObject({ hash: original.hash, to: TO, value: "0x1" });
    },
  );

  test("16.1: that was sent too late is confirmed minutes later, with the original's hash", async () => {
    const service = await submitted();
    const { id, original, cancel, record, at, minedAt } = service;
    at(lastMoment(service, 0));
    await cancel(id);
    expect(await record(id, 60)).toMatchObject({ ...NOOP, status: "submitted" });
    expect(await record(id, 600)).toMatchObject({ ...NOOP, status: "confirmed", hash: original.hash });
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
  });
});

describe("an original that is just being sent wins", () => {
  /** A transfer that is `sent`, and was not submitted yet. */
  async function justSent() {
    const service = localService();
    const id = await service.send();
    let seconds = 0;
    let original = await service.record(id, seconds);
    for (; original.status !== "sent"; original = await service.record(id, seconds)) seconds += 0.1;
    return { ...service, id, original, seconds };
  }

  test("13.1: against a replacement, which fails within seconds under a hash that no node knows", async () => {
    const { id, original, seconds, replace, record, byHash, minedAt } = await justSent();
    const returned = await replace(id);
    const failed = await record(id, seconds + 4);
    expect(failed).toMatchObject({ status: "failed", value: "0x2", hash: returned.hash });
    expect(failed.status_reason).toMatch(LOST);
    expect(await byHash(returned.hash)).toBe(null);
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, value: "0x1" });
  });

  test("13.2: against a cancellation, which is confirmed under the original's hash", async () => {
    const { id, original, seconds, cancel, record, minedAt } = await justSent();
    expect(await cancel(id)).toMatchObject({ ...NOOP, status: "sent" });
    expect((await record(id, seconds + 2)).status).toBe("submitted");
    expect(await record(id, seconds + 30)).toMatchObject({ ...NOOP, status: "confirmed", hash: original.hash });
    expect(await minedAt(0)).toMatchObject({ hash: original.hash, to: TO, value: "0x1" });
  });
});

test("13.6: a pending transaction without a nonce is canceled at once", async () => {
  const { send, cancel, record, minedAt } = localService();
  const id = await send();
  expect(await cancel(id)).toMatchObject({ status: "canceled", hash: null, nonce: null });
  expect((await record(id, 60)).status).toBe("canceled");
  expect(await minedAt(0)).toBe(undefined);
});
