import fc from "fast-check";
import { relayer, relayerIn, runsIn, type Shared, shared, undo } from "../../commands/undo/world.ts";
import { cli } from "../../helpers/cli.ts";
import { runs } from "../../helpers/deep.ts";
import { intentsIn } from "../../helpers/memory/journal.ts";

const RUNS = runs(5, 600);

const flags = fc.constantFrom(
  "--paused",
  "--no-paused",
  "--name a",
  "--name b",
  "--name https://me:pass@x.example",
  '--name {"token":"secret-1"}',
  "--notification-id hook",
  "--no-notification-id",
  "--rpc-url https://a.example",
  "--rpc-url https://b.example/v2/0123456789abcdef",
  "--no-rpc-urls",
  "--policy gas_price_cap=7gwei",
  "--unset-policy gas_price_cap",
  "--policy private_transactions=true",
  "--policy whitelist_receivers=[]",
);
const ids = fc.constantFrom("r1", "r2", "r1 r2");
const patch = fc.record({ ids, flag: flags, reads: fc.boolean() });
/** What someone else does meanwhile: a write that the journal does not know. */
const other = fc.record({ ids: fc.constantFrom("r1", "r2"), flag: flags });

type State = readonly unknown[];

async function stateOf(world: Shared): Promise<State> {
  const relayers = [await relayerIn(world, "r1"), await relayerIn(world, "r2")];
  return relayers.map((each) => JSON.parse(JSON.stringify(each, (_, value) => value ?? undefined)));
}

async function sent(
  world: Shared,
  patches: readonly { ids: string; flag: string; reads: boolean }[],
): Promise<ReadonlyMap<string, State>> {
  const before = new Map<string, State>();
  for (const { ids, flag, reads } of patches) {
    const state = await stateOf(world);
    const words = [...ids.split(" "), ...flag.split(" "), ...(reads ? ["--diff"] : [])];
    await cli(["relayers", "update", ...words, "--yes"], world);
    const last = runsIn(world).at(-1);
    if (last !== undefined && !before.has(last)) before.set(last, state);
  }
  return before;
}

/** Undoes a run, and returns whether it was undone; otherwise nothing may have changed. */
async function undone(world: Shared, run: string): Promise<boolean> {
  const now = await stateOf(world);
  const intents = intentsIn(world).length;
  const { exitCode, stderr } = await undo(world, `${run} --yes`);
  if (exitCode === 0) return true;
  expect([3, 6], stderr).toContain(exitCode);
  expect(await stateOf(world)).toEqual(now);
  expect(intentsIn(world)).toHaveLength(intents);
  return false;
}

function touched(world: Shared, run: string, state: State): State {
  const ids = intentsIn(world).flatMap((each) => (each.run === run ? (each.ids.relayer_id ?? []) : []));
  return state.filter((_, index) => ids.includes(`r${index + 1}`));
}

test("after any changes, an undo restores exactly what was before the run, or refuses and changes nothing", async () => {
  const seen = { undone: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 4 }), fc.option(other), async (patches, meanwhile) => {
      const world = shared([relayer("r1"), relayer("r2")]);
      const before = await sent(world, patches);
      if (meanwhile) await sent({ ...world, env: { RELAYCTL_JOURNAL: "off" } }, [{ ...meanwhile, reads: false }]);
      for (const [run, state] of [...before].reverse()) {
        if (!(await undone(world, run))) {
          seen.refused++;
          return;
        }
        seen.undone++;
        // What someone else changed in other members stays.
        if (!meanwhile) expect(touched(world, run, await stateOf(world))).toEqual(touched(world, run, state));
      }
    }),
    RUNS,
  );
  expect(seen.undone).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});
