import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { figure } from "../../../helpers/figure.ts";
import { lost, notSent } from "../../../helpers/service/scripted-service.ts";
import { TOKEN } from "../../../helpers/test-app.ts";
import {
  afterEach,
  asOldHead,
  type Damage,
  damagesBetweenMonths,
  damagesOfHead,
  isReported,
  worldJournal,
} from "../../../journal/damage/damages.ts";
import { type Opened, opened } from "../../../journal/opened.ts";
import { beginLife } from "../../../safety/disk/real-files.ts";
import { LINE, payingWorld } from "../send-many/paying-world.ts";
import { isSend, KEYED, keyedWorld, PAY } from "./keyed-world.ts";

const MONTH = 31 * 24 * 3_600_000;
const KEYS = ["a", "b", "c"];

const damages = (disk: Opened): Damage[] => [...damagesBetweenMonths(disk), ...damagesOfHead(disk)];

/** Three months, each with a payment with a key, a change that can be undone, and a payment whose response was lost. */
async function keyedMonths() {
  const disk = opened();
  const world = keyedWorld(worldJournal(disk.journal));
  for (const [month, key] of KEYS.entries()) {
    await world.run(KEYED.replace("payout-7", key));
    await world.run(`relayers update base-hot --policy gas_price_cap=${90 + month}gwei`);
    await world.run(PAY.replace("21000", "30000"), {}, async (request, answer) => {
      if (isSend(request)) throw lost();
      return await answer();
    });
    if (month < KEYS.length - 1) await world.pass(MONTH);
  }
  await disk.journal.requireComplete();
  const runs: string[] = [];
  for await (const entry of disk.journal.newestFirst())
    if (entry.type === "intent" && entry.operation === "relayers.update") runs.push(entry.run);
  return { disk, world, newest: runs[0] ?? "" };
}

/** A run whose rows were paid in three months, one in each. */
async function payingMonths() {
  const disk = opened();
  const world = payingWorld(3, worldJournal(disk.journal));
  for (const row of [1, 2, 3]) {
    await world.run(`${LINE} --concurrency 1 --resume`, async (request, answer) => {
      if (isSend(request) && world.paid.length >= row) throw notSent();
      return await answer();
    });
    if (row < 3) await world.pass(MONTH);
  }
  await disk.journal.requireComplete();
  expect(world.paid).toHaveLength(3);
  return { disk, world };
}

test("whatever moves between months, or changes in the head, no key is paid twice, and nothing is settled or undone", async () => {
  const { disk, world, newest } = await keyedMonths();
  const paid = world.accepted.length;
  let refused = 0;
  const lines = [...KEYS.map((key) => KEYED.replace("payout-7", key)), "history settle", `undo ${newest}`];
  const count = await afterEach(
    disk,
    async (damage) => {
      expect(await isReported(disk), damage).toBe(true);
      for (const line of lines) {
        const { exitCode, writes } = await world.run(line);
        expect(writes, `${damage}: ${line}`).toEqual([]);
        if (!line.includes("--once")) expect(exitCode, `${damage}: ${line}`).toBe(74);
        refused += exitCode === 74 ? 1 : 0;
      }
    },
    damages,
  );
  expect(world.accepted).toHaveLength(paid);
  expect(refused).toBeGreaterThan(count);
  figure("commands with a damaged journal, none of which paid twice", count * lines.length);
});

test("whatever moves between months, or changes in the head, --resume pays no row of an earlier month again", async () => {
  const { disk, world } = await payingMonths();
  const before = [...world.paid];
  const count = await afterEach(
    disk,
    async (damage) => {
      expect(await isReported(disk), damage).toBe(true);
      expect(await world.run(`${LINE} --resume`), damage).toMatchObject({ exitCode: 74, writes: [] });
    },
    damages,
  );
  expect(world.paid).toEqual(before);
  figure("commands with a damaged journal, none of which paid twice", count);
});

test("undoes a run for real while the journal is whole", async () => {
  const { world, newest } = await keyedMonths();
  expect(await world.run(`undo ${newest}`)).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
});

test("a head of version 0.1 is read once and replaced; damage under it is refused as well", async () => {
  const keyed = await keyedMonths();
  asOldHead(keyed.disk);
  expect(await keyed.world.run("history settle")).not.toMatchObject({ exitCode: 74 });
  expect(keyed.disk.read("head.json")).toMatch(/^\{"format":2,/);
  const { disk, world } = await payingMonths();
  asOldHead(disk);
  expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 0, writes: [] });
  expect(disk.read("head.json")).toMatch(/^\{"format":2,/);
  asOldHead(disk);
  await afterEach(
    disk,
    async (damage) => {
      expect(await isReported(disk), damage).toBe(true);
      expect(await world.run(`${LINE} --resume`), damage).toMatchObject({ exitCode: 74, writes: [] });
    },
    damagesBetweenMonths,
  );
  expect(world.paid).toHaveLength(3);
});

test("a head of a newer version is refused, and left as it is", async () => {
  const { disk, world } = await payingMonths();
  const newer = disk.read("head.json").replace('"format":2', '"format":3');
  disk.write([newer.trimEnd()], "head.json");
  expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 74, writes: [] });
  expect(disk.read("head.json")).toBe(newer);
});

test("--state with a link to the usual journal is that journal: it does not wait for itself, and pays once", async () => {
  const life = beginLife({
    files: {
      "config.json": JSON.stringify({
        version: 1,
        current: "prod",
        contexts: { prod: { server: "http://127.0.0.1:8080", token: TOKEN } },
      }),
      "payouts.csv": "to,value\n0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc,1000000000000\n",
    },
    env: { RELAYCTL_JOURNAL: "FOLDER/journal" },
  });
  try {
    await life.run("relayers pause eth-main-1");
    symlinkSync(join(life.folder, "journal"), join(life.folder, "link"));
    const send = `${KEYED} --yes`;
    const pay = "tx send-many base-hot -f FOLDER/payouts.csv --speed fast --confirm 0.000001eth";
    for (const line of [send, pay]) {
      expect(await life.run(`${line} --state FOLDER/link`)).toMatchObject({ exitCode: 0, accepted: [{}] });
      expect(await life.run(line === pay ? `${line} --resume` : line)).toMatchObject({ exitCode: 0, accepted: [] });
      const again = line === pay ? `${line} --resume` : line;
      expect(await life.run(`${again} --state FOLDER/link`)).toMatchObject({ exitCode: 0, accepted: [] });
    }
  } finally {
    life.end();
  }
});
