import fc from "fast-check";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli } from "../../helpers/cli.ts";
import { runs } from "../../helpers/deep.ts";
import { success } from "../../helpers/service/reply.ts";

const RUNS = runs(8, 3_000);

/** What happens to the list between two requests. */
type Event = { kind: "add" | "remove"; at: number } | { kind: "reverse" } | { kind: "nothing" };

const nothing: fc.Arbitrary<Event> = fc.constant({ kind: "nothing" });
const added: fc.Arbitrary<Event> = fc.record({ kind: fc.constant("add"), at: fc.nat(40) });
const removed: fc.Arbitrary<Event> = fc.record({ kind: fc.constant("remove"), at: fc.nat(40) });
const reversed: fc.Arbitrary<Event> = fc.constant({ kind: "reverse" });

/** A service whose list changes after each response, and the IDs that were in it all the time. */
function movingService(size: number, between: readonly Event[], largest: number, counts: boolean) {
  const ids = Array.from({ length: size }, (_, index) => `r${index}`);
  const always = new Set(ids);
  let answers = 0;
  const service: Transport = async ({ target }) => {
    const query = new URLSearchParams(target.split("?")[1]);
    const perPage = Math.min(Number(query.get("per_page") ?? 10), largest);
    const from = (Number(query.get("page") ?? 1) - 1) * perPage;
    const data = ids.slice(from, from + perPage).map((id) => ({ id }));
    const pagination = { current_page: from / perPage + 1, per_page: perPage, total_items: ids.length };
    happen(between[answers++]);
    return counts ? success(data, pagination) : success(data);
  };
  function happen(event: Event | undefined): void {
    if (event?.kind === "reverse") ids.reverse();
    if (event?.kind === "add") ids.splice(event.at % (ids.length + 1), 0, `new${answers}`);
    if (event?.kind === "remove") for (const gone of ids.splice(event.at % (ids.length || 1), 1)) always.delete(gone);
  }
  return { service, always };
}

const moving = (between: fc.Arbitrary<Event>) =>
  fc.record({
    size: fc.nat(30),
    between: fc.array(between, { maxLength: 12 }),
    perPage: fc.integer({ min: 1, max: 9 }),
    largest: fc.integer({ min: 2, max: 1000 }),
  });

async function walked({
  size,
  between,
  perPage,
  largest,
}: {
  size: number;
  between: Event[];
  perPage: number;
  largest: number;
}) {
  const { service, always } = movingService(size, between, largest, true);
  const { exitCode, stdout, stderr } = await cli(`relayers list -o name --per-page ${perPage}`, { service });
  if (exitCode !== 0) expect([exitCode, stderr]).toEqual([9, expect.stringContaining("changing or incomplete")]);
  return { exitCode, shown: stdout.split("\n").slice(0, -1), always };
}

const ONE_KIND: readonly [string, fc.Arbitrary<Event>][] = [
  ["grows", fc.oneof(nothing, added)],
  ["shrinks", fc.oneof(nothing, removed)],
  ["is reordered", fc.oneof(nothing, reversed)],
];

test.each(ONE_KIND)("while the list %s, reading it returns all permanent items or fails", async (_, between) => {
  await fc.assert(
    fc.asyncProperty(moving(between), async (list) => {
      const { exitCode, shown, always } = await walked(list);
      if (exitCode === 0) expect([...always].filter((id) => !shown.includes(id))).toEqual([]);
    }),
    RUNS,
  );
});

test("no item is returned twice, whatever changes", () =>
  fc.assert(
    fc.asyncProperty(moving(fc.oneof(nothing, added, removed, reversed)), async (list) => {
      const { shown } = await walked(list);
      expect(new Set(shown).size).toBe(shown.length);
    }),
    RUNS,
  ));

test("an unchanged list is returned whole with any page size, with or without a count", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 12 }), fc.boolean(), async (size, perPage, counts) => {
      const { service } = movingService(size, [], 1000, counts);
      const { exitCode, stdout } = await cli(`relayers list -o name --per-page ${perPage}`, { service });
      expect([exitCode, stdout.split("\n").length - 1]).toEqual([0, size]);
    }),
    RUNS,
  ));
