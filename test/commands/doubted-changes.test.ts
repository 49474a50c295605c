import type { Entry } from "../../src/journal/journal.ts";
import { cli, ends, exits } from "../helpers/cli.ts";
import { done, relayer, shared } from "./undo/world.ts";

const A = "https://a.example";
/** A change, the opposite one, and how a command would say that there is nothing to send. */
const ROWS: readonly (readonly [line: string, opposite: string, nothing: RegExp])[] = [
  ["relayers pause r1 --diff", "relayers resume r1 --diff", /r1 is already paused; nothing was sent/],
  ["relayers update r1 --name a --diff", "relayers update r1 --name b --diff", /r1: already set; nothing was sent/],
  ["relayers pause r1 r2 --yes --diff", "relayers resume r1 r2 --yes --diff", /already paused/],
  ["relayers pause --where name=r1 --yes", "relayers resume r1 --diff", /already paused/],
  ["relayers freeze r1 --yes", "relayers resume r1 --diff", /already paused/],
  [
    "relayers update r1 --policy gas_price_cap=7gwei --diff",
    "relayers update r1 --reset-policies --confirm r1 --diff",
    /already set/,
  ],
  [
    `notifications update hook --url ${A} --diff`,
    "notifications update hook --url https://b.example --diff",
    /already set/,
  ],
  [
    `networks update evm:sepolia --rpc-url ${A} --diff`,
    "networks update evm:sepolia --rpc-url https://b.example --diff",
    /already has these RPC URLs/,
  ],
];

test.each(ROWS)("%s is sent although the service shows it, if %s may still arrive", async (line, opposite, nothing) => {
  for (const applied of [undefined, "unknown"] as const) {
    const world = shared();
    await done(world, line, opposite);
    const { entries } = world.journal;
    const last = entries.findLast(({ type }) => type === "intent")?.run;
    const left = entries.flatMap((entry): Entry[] => {
      if (entry.type !== "outcome" || entry.run !== last) return [entry];
      return applied ? [{ ...entry, applied }] : [];
    });
    const shows = shared();
    shows.journal.entries.push(...left);
    // The service is as if the opposite change had not arrived yet.
    await done({ ...shows, env: { RELAYCTL_JOURNAL: "off" } }, line);
    const dry = await cli(`${line} --dry-run`, shows);
    expect(dry.stderr).not.toMatch(nothing);
    const ran = await exits(0, line, shows);
    expect(ran.writes.length).toBeGreaterThan(0);
    expect(ran.stderr).not.toMatch(nothing);
    expect(ran.stderr).not.toMatch(/undo: .* relayers update( r\d)+$/m);
    const again = await exits(0, line, shows);
    if (opposite.includes("--reset-policies")) continue;
    expect(again.writes).toEqual([]);
  }
});

test("a change that was lost long ago arrives no more", async () => {
  const world = shared([relayer("r1", { paused: true })]);
  await done(world, "relayers resume r1 --diff");
  const { entries } = world.journal;
  entries.pop();
  for (const entry of entries) entry.time = new Date(Date.parse(entry.time) - 6 * 60_000).toISOString();
  await done({ ...world, env: { RELAYCTL_JOURNAL: "off" } }, "relayers pause r1");
  await ends(
    { exitCode: 0, writes: [], stderr: expect.stringContaining("already paused; nothing was sent") },
    "relayers pause r1 --diff",
    world,
  );
});
