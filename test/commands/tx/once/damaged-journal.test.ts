import { readdirSync, rmSync } from "node:fs";
import { exited, exitedSaying } from "../../../helpers/exited.ts";
import { figure } from "../../../helpers/figure.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { afterEach, isReported, worldJournal } from "../../../journal/damage/damages.ts";
import { opened } from "../../../journal/opened.ts";
import { LINE, payingWorld } from "../send-many/paying-world.ts";
import { type Fault, isSend, KEYED, keyedWorld, loseRequest, PAY, RECEIVER } from "./keyed-world.ts";

const MONTH = 31 * 24 * 3_600_000;
const KEYS = ["a", "b", "c"];
test("whatever lines of a journal of several months are damaged, no key is paid twice, and nothing is settled or undone", async () => {
  const disk = opened();
  const world = keyedWorld(worldJournal(disk.journal));
  for (const key of KEYS) {
    await world.run(KEYED.replace("payout-7", key));
    await world.run("relayers update base-hot --policy gas_price_cap=90gwei");
    await world.run(PAY.replace("21000", "30000"), {}, async (request, answer) => {
      if (isSend(request)) throw lost();
      return await answer();
    });
    await world.pass(MONTH);
  }
  const paid = world.accepted.length;
  let refused = 0;
  const count = await afterEach(disk, async (damage) => {
    const isDamaged = await isReported(disk);
    for (const line of [...KEYS.map((key) => KEYED.replace("payout-7", key)), "history settle", "undo --dry-run"]) {
      const { exitCode, writes } = await world.run(line);
      const where = `${damage}: ${line}`;
      expect(writes, where).toEqual([]);
      expect(exitCode === 74 ? isDamaged : true, where).toBe(true);
      if (isDamaged && !line.includes("--once")) expect(exitCode, where).toBe(74);
      refused += exitCode === 74 ? 1 : 0;
    }
  });
  expect(world.accepted).toHaveLength(paid);
  expect(refused).toBeGreaterThan(count);
  figure("commands with a damaged journal, none of which paid twice", count * 5);
});

test("whatever lines of a journal are damaged, no row is paid twice by --resume", async () => {
  const disk = opened();
  const world = payingWorld(3, worldJournal(disk.journal));
  await world.run(LINE, async (request, answer) => {
    const reply = await answer();
    if (isSend(request) && world.paid.length === 2) throw lost();
    return reply;
  });
  const before = [...world.paid];
  const count = await afterEach(disk, async (damage) => {
    const isDamaged = await isReported(disk);
    const { exitCode, writes } = await world.run(`${LINE} --resume`);
    expect(writes, damage).toEqual([]);
    expect(exitCode === 74, damage).toBe(isDamaged);
  });
  expect(world.paid).toEqual(before);
  figure("commands with a damaged journal, none of which paid twice", count);
});

test("does not say that a key belongs to another request because of a line that was changed", async () => {
  const disk = opened();
  const world = keyedWorld(worldJournal(disk.journal));
  await world.run(KEYED);
  disk.write(disk.lines().map((line) => line.replaceAll(RECEIVER, RECEIVER.replace("3c", "4c"))));
  await exitedSaying({ exitCode: 74, writes: [] }, world.run(KEYED), "line 1 was changed");
});

test("pays without the lost lines if the context's name is typed", async () => {
  const disk = opened();
  const world = keyedWorld(worldJournal(disk.journal));
  await world.run(KEYED);
  rmSync(disk.file(readdirSync(disk.path).find((name) => name.endsWith("ndjson"))));
  const refused = await exited({ exitCode: 74, writes: [] }, world.run(KEYED));
  expect(refused.stderr).toContain("the file is missing");
  expect(refused.stderr).toContain("hint: relayctl -c prod history verify");
  const accepted = `${KEYED} --even-if-journal-lost-lines`;
  await exitedSaying({ exitCode: 3, writes: [] }, world.run(accepted), "--confirm prod");
  expect(await world.run(`${accepted} --confirm prod`)).toMatchObject({ exitCode: 0 });
  expect(world.accepted).toHaveLength(2);
});

describe("a key whose first run the journal has, while later lines are lost", () => {
  test.each<[string, Fault]>([
    [
      "was refused by a gateway",
      async (request, answer) => (isSend(request) ? reply(302, "", { location: "/login" }) : await answer()),
    ],
    ["lost its request", loseRequest],
  ])("sends and settles nothing if that run %s", async (_, fault) => {
    const disk = opened();
    const world = keyedWorld(worldJournal(disk.journal));
    await world.run(KEYED, {}, fault);
    const kept = disk.lines();
    await world.run(PAY);
    disk.write(kept);
    for (const line of [KEYED, `${KEYED} --dry-run`])
      await exitedSaying({ exitCode: 74, writes: [] }, world.run(line), "2 lines are missing at the end");
    expect(disk.lines()).toEqual(kept);
    expect(world.accepted).toHaveLength(1);
  });
});
