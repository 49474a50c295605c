import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { createChance } from "../../safety/fuzz/chance.ts";
import type { Lived } from "../life.ts";
import { livePayouts } from "./life.ts";
import { generateFile } from "./rows.ts";

const LIVES = DEEP ? 1_500 : 2;

describe("lives of payments in bulk", () => {
  // What is loaded for the first time takes time that the model's clock does not know.
  beforeAll(async () => void (await Promise.all([3, 4].map((seed) => livePayouts(seed)))));

  test("pay no row twice, report nothing as paid that the chain does not have, and end", async () => {
    const lives: Lived[] = [];
    for (let seed = 1; seed <= LIVES; seed++) lives.push(await livePayouts(seed));
    expect(lives.filter(({ findings }) => findings.length > 0)).toEqual([]);
    const sum = (what: string) => lives.reduce((all, { counts }) => all + (counts[what] ?? 0), 0);
    expect(sum("rows paid")).toBe(sum("rows"));
    figure("rows of payments in bulk, with faults, kills, and late requests", sum("rows"));
    figure("of these paid twice, or reported as paid although they are not", 0);
  });

  test("are the same for the same seed", async () => expect(await livePayouts(3)).toEqual(await livePayouts(3)));
});

test("generated files have one to 500 rows, and their sum", () => {
  for (let seed = 1; seed < 50; seed++) {
    const { rows, sum } = generateFile(createChance(seed));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(500);
    expect(rows.reduce((all, { value }) => all + value, 0n)).toBe(sum);
  }
});
