import { LOCAL } from "../ask.ts";
import { localService } from "../openzeppelin/local-service.ts";

const BAD = { to: "0x12" };

describe("a malformed receiver", () => {
  test("13.3: takes a nonce, is never sent, and holds up later transactions until its nonce is filled", async () => {
    const { send, record, ask, at, minedAt } = localService();
    const bad = await send(BAD);
    expect(await record(bad, 5)).toMatchObject({ status: "pending", nonce: 0, hash: null });
    const good = await send();
    expect(await record(good, 120)).toMatchObject({ status: "submitted", nonce: 1 });
    expect(await record(bad, 136)).toMatchObject({ status: "failed" });
    const byNonce = async (seconds: number) => {
      at(seconds);
      return (await ask("GET", "/relayers/local-1/transactions/by-nonce/0")).data;
    };
    expect((await byNonce(198)).id).toBe(bad);
    expect(await byNonce(202)).toMatchObject({
      status: "submitted",
      to: LOCAL,
      value: "0x0",
      status_reason: "Gap-filling NOOP for nonce 0",
    });
    expect((await record(good, 202)).status).toBe("submitted");
    expect((await record(good, 225)).status).toBe("confirmed");
    expect(await minedAt(0)).toMatchObject({ to: LOCAL, value: "0x0" });
  });

  test("16.3: that is left alone fails at 134 s, its nonce is filled at 201 s, and all are confirmed by 225 s", async () => {
    const { send, record, ask, at } = localService();
    const bad = await send(BAD);
    await record(bad, 5);
    const good = [await send(), await send(), await send()];
    const filled = async (seconds: number) => {
      at(seconds);
      return (await ask("GET", "/relayers/local-1/transactions/by-nonce/0")).data.id !== bad;
    };
    expect([(await record(bad, 133)).status, (await record(bad, 135)).status]).toEqual(["pending", "failed"]);
    expect([await filled(199), await filled(203)]).toEqual([false, true]);
    for (const id of good) expect((await record(id, 225)).status).toBe("confirmed");
  });

  test("16.3: that is canceled leaves its nonce open for minutes", async () => {
    const { send, record, cancel } = localService();
    const bad = await send(BAD);
    await record(bad, 5);
    const good = await send();
    expect(await cancel(bad)).toMatchObject({ status: "canceled", nonce: 0 });
    expect((await record(good, 195)).status).toBe("submitted");
    expect((await record(good, 225)).status).toBe("confirmed");
    expect((await record(bad, 250)).status).toBe("canceled");
  });

  test("16.3: that is replaced by a good one is sent under the returned hash, and holds up nothing", async () => {
    const { send, record, replace, minedAt } = localService();
    const bad = await send(BAD);
    await record(bad, 5);
    const good = await send();
    const returned = await replace(bad);
    expect(returned).toMatchObject({ status: "pending", nonce: 0 });
    expect(await record(bad, 10)).toMatchObject({ status: "submitted", hash: returned.hash });
    expect((await record(good, 60)).status).toBe("confirmed");
    expect(await minedAt(0)).toMatchObject({ hash: returned.hash, value: "0x2" });
  });
});

test("13.4: nonces do not follow the order of the requests", async () => {
  const { send, record } = localService();
  const ids = [];
  for (let sent = 0; sent < 5; sent++) ids.push(await send());
  const nonces = [];
  for (const id of ids) nonces.push((await record(id, 5)).nonce);
  expect(nonces.toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(nonces).not.toEqual([0, 1, 2, 3, 4]);
});

test("15.8: a transaction is confirmed 8 to 12 s after its block, and never shown as mined", async () => {
  const { send, record, byHash } = localService();
  const id = await send();
  const { hash } = await record(id, 5);
  let mined = 0;
  const seen = new Set<unknown>();
  for (let seconds = 6; seconds < 60; seconds++) {
    const { status } = await record(id, seconds);
    if (mined === 0 && (await byHash(hash))?.blockNumber) mined = seconds;
    if (status === "confirmed" && !seen.has(status)) expect([8, 9, 10, 11, 12]).toContain(seconds - mined);
    seen.add(status);
  }
  expect(seen).toEqual(new Set(["submitted", "confirmed"]));
});

describe("a transaction that its node refuses stays sent, without a time, and is not on the chain", () => {
  test.each([
    ["pays less than the base fee", { max_fee_per_gas: 999_999_999, max_priority_fee_per_gas: 1, speed: undefined }],
    ["costs more than the balance", { value: String(3n * 10n ** 18n) }],
  ])("16.4: since it %s", async (_, body) => {
    const { send, record, byHash, replace } = localService();
    const id = await send(body);
    const sent = await record(id, 3600);
    expect(sent).toMatchObject({ status: "sent", sent_at: null, hash: expect.stringMatching(/^0x/) });
    expect(await byHash(sent.hash)).toBe(null);
    await replace(id);
    expect((await record(id, 3700)).status).toBe("confirmed");
  });
});
