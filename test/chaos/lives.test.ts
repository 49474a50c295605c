import { DEEP } from "../helpers/deep.ts";
import { figure } from "../helpers/figure.ts";
import { type Lived, live } from "./life.ts";

const LIVES = DEEP ? 10_000 : 8;

describe("lives of the program in a model of service, node, and chain", () => {
  // What is loaded for the first time takes time that the model's clock does not know.
  beforeAll(async () => void (await Promise.all([0, 1, 2, 3].map((seed) => live(seed)))));

  test("contradict no chain, send nothing twice, and end", async () => {
    const lives: Lived[] = [];
    for (let seed = 1; seed <= LIVES; seed++) lives.push(await live(seed));
    expect(lives.filter(({ findings }) => findings.length > 0)).toEqual([]);
    figure("lives in the model of service, node, and chain", lives.length);
    figure("false verdicts, doubled writes, and hangs in them", 0);
  });

  test("are the same for the same seed", async () => expect(await live(7)).toEqual(await live(7)));

  test("are the same with a log, which has each command and each write that the service took", async () => {
    const lines: string[] = [];
    expect(await live(7, (line) => lines.push(line))).toEqual(await live(7));
    expect(lines[0]).toMatch(/^ {7}0 {2}relayctl tx send evm-1 /);
    expect(lines.find((line) => line.includes("service: POST"))).toMatch(/\/evm-1\/transactions \{.*\}: 200$/);
  });
});
