import { evmSeedTransaction } from "../../../src/embedded-server/seed/transactions.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { done, relayer, relayerIn, type Shared, shared, undo } from "./world.ts";

const CONFIRMED = "--confirm '2 relayers'";

/** Two relayers, of which the second is paused, and the first has a transaction that is not signed yet. */
async function withTransaction(): Promise<Shared> {
  const world = shared([relayer("r1"), relayer("r2", { paused: true })]);
  const from = String(relayer("r1").address);
  const record: Resource = evmSeedTransaction(1, {
    id: "t1",
    relayer_id: "r1",
    status: "submitted",
    from,
    to: from,
    value: "5",
    nonce: 1,
  });
  await world.store.change((state) => void state.transactions.put({ ...record, hash: null, status: "pending" }));
  return world;
}

test("the undo of a freeze resumes the relayers that it paused, and says that cancellations stay", async () => {
  const world = await withTransaction();
  await done(world, `relayers freeze --all ${CONFIRMED}`);
  expect(await relayerIn(world, "r1")).toMatchObject({ paused: true });
  const ran = await undo(world, "--yes");
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH", body: '{"paused":false}' }] });
  expect(ran.stderr).toContain("note: the run requested cancellations, which an undo does not restore: 1\n");
  const paused = await Promise.all(["r1", "r2"].map(async (id) => (await relayerIn(world, id))?.paused));
  expect(paused).toEqual([false, true]);
});

test("a freeze that was undone is not the newest run to undo anymore", async () => {
  const world = await withTransaction();
  await done(world, "relayers update r2 --name other --diff", `relayers freeze --all ${CONFIRMED}`, "undo --yes");
  const ran = await undo(world, "--yes");
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0, writes: [{ body: '{"name":"r2"}' }] });
});

test("a run that only canceled transactions cannot be undone", async () => {
  const world = await withTransaction();
  await done(world, "tx cancel-pending r1 --yes");
  expect(await undo(world, "--yes")).toMatchObject({ exitCode: 6, writes: [] });
});
