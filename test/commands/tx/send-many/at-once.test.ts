import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { payouts, receivers } from "../../../helpers/payouts.ts";
import { LINE, type PayingWorld, payingWorld } from "./paying-world.ts";

async function runBoth(world: PayingWorld, first: string, second: string) {
  const journals = { a: memoryJournal({ path: "/a" }), b: memoryJournal({ path: "/b" }) };
  let other: ReturnType<PayingWorld["run"]> | undefined;
  const one = await world.run(
    first,
    async (request, answer) => {
      if (request.target.endsWith("/balance")) {
        other ??= world.run(second, undefined, { journals });
        await other;
      }
      return await answer();
    },
    { journals },
  );
  return { one, other: await other };
}

test.each([
  ["another folder", `${LINE} --state a`, `${LINE} --state b`, "payouts.csv was already started"],
  ["the usual journal", `${LINE} --state a`, LINE, "payouts.csv was already started"],
  ["a folder", LINE, `${LINE} --state b`, "payouts.csv was already started"],
  ["another file", LINE, LINE.replace("payouts", "copy"), "the payments of payouts.csv were already started"],
  ["another file, with --resume", `${LINE} --resume`, LINE.replace("payouts", "copy"), "were already started"],
])(
  "the same payments, begun while a user is asked with %s are not paid a second time",
  async (_, first, second, words) => {
    const world = payingWorld();
    world.files["copy.csv"] = payouts(3).replaceAll("\n", "\r\n");
    const { one, other } = await runBoth(world, first, second);
    expect(other).toMatchObject({ exitCode: 0 });
    expect(one).toMatchObject({ exitCode: 6, writes: [] });
    expect(one.stderr).toContain(words);
    expect(world.paid).toEqual(receivers(3));
  },
);
