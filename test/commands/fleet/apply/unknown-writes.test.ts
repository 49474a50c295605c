import type { JsonObject } from "../../../../src/contract/json.ts";
import type { Entry } from "../../../../src/journal/journal.ts";
import { cli, exited, exits } from "../../../helpers/cli.ts";
import { sampled } from "../../../helpers/deep.ts";
import { apply, fleetWorld, HOOK, listsOf, writesOf } from "./world.ts";

const KEY = `\${env:KEY}`;
const URL = "https://rpc.example.org/v3/key-of-a-provider-0001";
const CASES: Readonly<Record<string, { changes: JsonObject; hook: JsonObject; write: string }>> = {
  "a signing key": { changes: {}, hook: { ...HOOK, signing_key: KEY }, write: "PATCH notifications/ops" },
  "a name": { changes: { r1: { name: "other" } }, hook: HOOK, write: "PATCH relayers/r1" },
  "a pause": { changes: { r1: { paused: true } }, hook: HOOK, write: "PATCH relayers/r1" },
  "a policy": { changes: { r1: { policies: { gas_price_cap: 7 } } }, hook: HOOK, write: "PATCH relayers/r1" },
  "a whitelist": {
    changes: { r1: { policies: { whitelist_receivers: ["0x1111111111111111111111111111111111111111"] } } },
    hook: HOOK,
    write: "PATCH relayers/r1",
  },
  "the URL of a notification": {
    changes: {},
    hook: { ...HOOK, url: "https://other.example.org" },
    write: "PATCH notifications/ops",
  },
  "RPC URLs": { changes: { r1: { custom_rpc_urls: [URL] } }, hook: HOOK, write: "PATCH relayers/r1" },
};

test.each(sampled(Object.entries(CASES), 2))(
  "%s whose last write has no known outcome are sent again",
  async (name, each) => {
    const lists = listsOf(each.changes as Record<string, JsonObject>, { notifications: [each.hook as JsonObject] });
    for (const isKilled of [true, false]) {
      const world = fleetWorld({ lists, isJournaled: true, isReal: true });
      expect(writesOf(await apply(world))).toEqual([each.write]);
      const { entries } = world.journal;
      const found = entries.flatMap((entry, index) => (entry.type === "outcome" ? [index] : []));
      for (const index of found.reverse())
        entries.splice(index, 1, ...(isKilled ? [] : [{ ...entries[index], applied: "unknown" } as Entry]));
      const plan = await exits(20, "plan -f config.json -o json", world);
      const [change] = JSON.parse(plan.stdout).changes;
      // What the service returns looks equal; a key and a URL never do.
      const looksEqual = name !== "a signing key" && name !== "RPC URLs";
      expect(change.effects.some((effect: string) => effect.includes("is sent again"))).toBe(looksEqual);
      expect(await cli("drift -f config.json", world)).toMatchObject({ exitCode: 20 });
      const again = await exited({ exitCode: 0 }, apply(world));
      expect(writesOf(again)).toEqual([each.write]);
      expect(await cli("plan -f config.json", world)).toMatchObject({ exitCode: 0 });
      expect(writesOf(await apply(world))).toEqual([]);
    }
  },
);

test("an apply without changes says what was not compared", async () => {
  const lists = listsOf({}, { notifications: [{ ...HOOK, signing_key: KEY }] });
  const world = fleetWorld({ lists, isJournaled: true, isReal: true });
  await apply(world);
  world.journal.entries.length = 0;
  const ran = await exited({ exitCode: 0, writes: [] }, apply(world));
  expect(ran.stderr).toContain(
    "config.json matches the service: 21 resources (1 hidden value not compared; plan -v lists them)",
  );
});
