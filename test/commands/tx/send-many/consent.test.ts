import type { Context } from "../../../../src/config/config.ts";
import { exited, exitedSaying, printedError } from "../../../helpers/exited.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { receiver } from "../../../helpers/payouts.ts";
import { refusal, reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { type Fault, isSend } from "../once/keyed-world.ts";
import { LINE, payingWorld } from "./paying-world.ts";

const TERMINAL = { terminal: true };

describe("on a terminal", () => {
  test.each(["6000gwei", "6000 gwei", "6000000000000", "0.000006eth", "6000000000000wei"])(
    "the sum is typed: %s",
    async (typed) => {
      const world = payingWorld();
      const ran = await exited(0, world.run(LINE, undefined, { ...TERMINAL, answers: [typed] }));
      expect(ran.questions).toEqual([
        'Pay 0.000006 ETH in 3 payments from base-hot in prod? Type "0.000006eth" to confirm:',
      ]);
      expect(world.paid).toHaveLength(3);
    },
  );

  test.each(["y", "yes", "", "6000", "6001gwei", "-6000gwei", "prod", "3", "6000pol"])(
    "%j is not the sum, and sends nothing",
    async (typed) => {
      const world = payingWorld();
      await exited({ exitCode: 3, writes: [] }, world.run(LINE, undefined, { ...TERMINAL, answers: [typed] }));
      expect(world.journal.entries).toEqual([]);
    },
  );

  test("--yes does not replace the sum", async () => {
    const world = payingWorld();
    expect(await world.run(`${LINE} --yes`, undefined, { ...TERMINAL, answers: ["y"] })).toMatchObject({ exitCode: 3 });
  });

  test("the question shows the file, the sum, the fees, the balance, and the largest payment", async () => {
    const world = payingWorld();
    const { stderr } = await world.run(LINE, undefined, { ...TERMINAL, answers: ["6000gwei"] });
    for (const words of ["sha256", "3 payments to 3 receivers", "0.000006 ETH", "balance", receiver(3)])
      expect(stderr).toContain(words);
  });

  test("a mistake in each row of a file is printed for the first rows, and counted", async () => {
    const world = payingWorld(25);
    world.files["payouts.csv"] = world.files["payouts.csv"]?.replaceAll(/,30000$/gm, ",x") ?? "";
    const { stderr } = await exited(2, world.run(LINE, undefined, TERMINAL));
    expect(stderr.match(/payouts\.csv:\d+:\d+ row \d+, gas_limit/g)).toHaveLength(20);
    expect(stderr).toContain("and 5 more problems; -o json lists all of them");
  });

  test("a row that may be sent twice needs a question for itself", async () => {
    const world = payingWorld();
    await world.run(LINE, async (request, answer) => {
      if (isSend(request) && request.body?.includes(receiver(2))) throw lost();
      return await answer();
    });
    const line = `${LINE} --resume --assume-not-sent 2`;
    const declined = await world.run(line, undefined, { ...TERMINAL, answers: ["2000gwei", false] });
    expect(declined).toMatchObject({ exitCode: 3, writes: [] });
    const agreed = await exited(0, world.run(line, undefined, { ...TERMINAL, answers: ["2000gwei", true] }));
    expect(agreed.questions[1]).toBe(
      `Send row 2, 0.000002 ETH to ${receiver(2)}, again? It may have been sent before, and would then be paid twice.`,
    );
    expect(world.paid).toHaveLength(3);
  });
});

describe("without a terminal", () => {
  test("--confirm is needed, and the error has the command with it", async () => {
    const world = payingWorld();
    const ran = await exited({ exitCode: 3, writes: [] }, world.run(`${LINE} --confirm 1`));
    expect(ran.stderr).toContain("--confirm does not match the sum");
    expect(ran.stderr).toContain("--confirm 0.000006eth");
  });

  test.each([["--yes"], ["--yes --no-input"]])("%s does not suffice", async (flags) => {
    const world = payingWorld();
    await exited({ exitCode: 3, writes: [] }, world.run(`${LINE} ${flags} --confirm yes`));
  });

  test("read-only mode sends nothing", async () => {
    const world = payingWorld();
    await exited({ exitCode: 3, requests: [] }, world.run(LINE, undefined, { env: { RELAYCTL_READONLY: "1" } }));
  });
});

describe("a context", () => {
  test.each<[string, Partial<Context>]>([
    ["that is protected", { protected: true }],
    ["whose limit for one transaction is exceeded", { max_value: { wei: "2999999999999" } }],
    ["whose limit for a day is exceeded by the sum", { max_per_day: { wei: "5999999999999" } }],
    ["that does not allow a receiver", { allow_to: [receiver(1), receiver(2)] }],
  ])("%s needs its name and the sum", async (_, rules) => {
    const world = payingWorld(3, undefined, rules);
    expect(await world.run(`${LINE} --confirm 6000gwei`)).toMatchObject({ exitCode: 3, writes: [] });
    expect(await world.run(`${LINE} --confirm prod`)).toMatchObject({ exitCode: 3, writes: [] });
    expect(await world.run(`${LINE} --confirm 'prod 6000gwei'`)).toMatchObject({ exitCode: 0 });
    expect(world.paid).toHaveLength(3);
  });

  test("within its limits needs the sum alone", async () => {
    const rules = { max_value: { wei: "3000000000000" }, max_per_day: { wei: "6000000000000" } };
    const world = payingWorld(3, undefined, rules);
    expect(await world.run(LINE)).toMatchObject({ exitCode: 0 });
  });

  test("counts with --state what the usual journal has of the day", async () => {
    const world = payingWorld(3, undefined, { max_per_day: { wei: "7000000000000" } });
    expect(await world.run(LINE)).toMatchObject({ exitCode: 0 });
    world.files["payouts.csv"] = `to,value,gas_limit\n${receiver(9)},2000000000000,30000\n`;
    const journals = { a: memoryJournal({ path: "/a" }) };
    const line = `${LINE} --state a --confirm 2000000000000`;
    const second = await exited({ exitCode: 3, writes: [] }, world.run(line, undefined, { journals }));
    expect(second.stderr).toContain("8000000000000 wei in 24 hours");
  });
});

describe("before anything is sent", () => {
  test.each<[string, string, string, string]>([
    ["a file that does not exist", "tx send-many base-hot -f none.csv --speed fast", "none.csv", ""],
    ["no file", "tx send-many base-hot --speed fast", "--file", ""],
    ["stdin", "tx send-many base-hot -f - --speed fast", "must be a file", ""],
    ["a bad address", LINE, "row 2", `to,value\n${receiver(1)},1wei\n0x12,1wei\n`],
    ["a row twice", LINE, "row 2", `to,value\n${receiver(1)},1wei\n${receiver(1)},1wei\n`],
    ["no price", "tx send-many base-hot -f payouts.csv", "price", `to,value\n${receiver(1)},1wei\n`],
    ["a sum above the balance", LINE, "balance", `to,value\n${receiver(1)},5eth\n`],
    ["fees that the balance can't cover", LINE, "fees of at least 0.", `to,value\n${receiver(1)},0.15eth\n`],
    ["the coin of another network", LINE, "pol", `to,value\n${receiver(1)},1pol\n`],
    [
      "a gas limit above that of a block",
      LINE,
      "gas limit of a block",
      `to,value,gas_limit\n${receiver(1)},1wei,29999999\n`,
    ],
    ["a relayer on Solana", LINE.replace("base-hot", "sol-pay"), "could not be found again", ""],
    ["a relayer on Stellar", LINE.replace("base-hot", "xlm-treasury"), "could not be found again", ""],
    ["--concurrency 0", `${LINE} --concurrency 0`, "--concurrency", ""],
    ["--stop-after 0", `${LINE} --stop-after 0`, "--stop-after", ""],
    ["--rate 50", `${LINE} --rate 50`, "--rate", ""],
    ["--curl", `${LINE} --curl`, "--curl", ""],
    ["--for without --wait", `${LINE} --for mined`, "--wait", ""],
  ])("%s is a usage error", async (_, line, words, text) => {
    const world = payingWorld();
    if (text !== "") world.files["payouts.csv"] = text;
    await exitedSaying({ exitCode: 2, writes: [] }, world.run(line), words);
    expect(world.journal.entries).toEqual([]);
  });

  test("a missing journal is one, unless --state has a folder", async () => {
    const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN } } };
    for (const env of [{ RELAYCTL_JOURNAL: "off" }]) {
      const world = payingWorld();
      await exitedSaying({ exitCode: 2, writes: [] }, world.run(LINE, undefined, { env, config }), "--state FOLDER");
      expect(await world.run(`${LINE} --state runs`, undefined, { env, config })).toMatchObject({ exitCode: 0 });
    }
  });

  test("a paused relayer is a conflict", async () => {
    const world = payingWorld();
    await world.run("relayers pause base-hot --yes --confirm prod");
    expect(await world.run(LINE)).toMatchObject({ exitCode: 6, writes: [] });
  });

  test("a file that another process sends is a conflict", async () => {
    const world = payingWorld();
    let inner: Promise<{ exitCode: number; stderr: string }> | undefined;
    const ran = await world.run(LINE, async (request, answer) => {
      if (isSend(request)) inner ??= world.run(`${LINE} --resume`);
      await inner;
      return await answer();
    });
    expect(ran.exitCode).toBe(0);
    expect(await inner).toMatchObject({ exitCode: 6 });
    expect((await inner)?.stderr).toContain("another process is sending the payments of payouts.csv");
    expect(world.paid).toHaveLength(3);
  });
});

describe("gas", () => {
  test("is estimated by the relayer's node, with a margin, for rows without a limit", async () => {
    const world = payingWorld();
    world.files["payouts.csv"] = `to,value\n${receiver(1)},1wei\n`;
    const ran = await exited(0, world.run(`${LINE} --confirm 1wei`));
    expect(ran.requests.some(({ body }) => body?.includes("eth_estimateGas"))).toBe(true);
    const { gas_limit: gas } = JSON.parse(ran.writes[0]?.body ?? "{}");
    expect(gas).toBeGreaterThan(23_100);
    expect(gas).toBeLessThanOrEqual(23_100 + 65_536);
  });

  test("is never assumed: a row that cannot be estimated is a usage error", async () => {
    const world = payingWorld();
    world.files["payouts.csv"] = `to,value\n${receiver(1)},1wei\n`;
    const ran = await world.run(`${LINE} --confirm 1wei`, async (request, answer) => {
      if (!request.body?.includes("eth_estimateGas")) return await answer();
      const { id } = JSON.parse(request.body);
      const error = { code: -32_000, message: "gas required exceeds allowance", description: "" };
      return reply(200, { jsonrpc: "2.0", id, error });
    });
    expect(ran).toMatchObject({ exitCode: 2, writes: [] });
    expect(ran.stderr).toContain("gas_limit");
  });

  test.each([
    [8, refusal(429, "Too Many Requests")],
    [9, refusal(503, "the service restarts")],
    [9, reply(200, "{")],
  ])("ends with %i if the node cannot be asked now, since the file may be right", async (exitCode, instead) => {
    const world = payingWorld();
    world.files["payouts.csv"] = `to,value\n${receiver(1)},1wei\n`;
    const line = `${LINE} --confirm 1wei --retries 0 -o json`;
    const ran = await world.run(line, async ({ body }, answer) =>
      body?.includes("eth_estimateGas") ? instead : await answer(),
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode, writes: [] });
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({ applied: "no", retryable: true });
    expect(ran.stderr).toContain("row 1 needs a gas limit, which could not be estimated: ");
  });

  test("is not asked for further rows of a node that does not respond, each of which may take as long as --timeout", async () => {
    const world = payingWorld(100);
    const estimates: string[] = [];
    const silent: Fault = async ({ body }, answer) => {
      if (!body?.includes("eth_estimateGas")) return await answer();
      estimates.push(body);
      return refusal(503, "the service restarts");
    };
    const rows = Array.from({ length: 100 }, (_, row) => `${receiver(row + 1)},${row + 1}wei\n`);
    world.files["payouts.csv"] = `to,value\n${rows.join("")}`;
    const line = `${LINE} --confirm 5050wei --retries 0`;
    expect(await world.run(line, silent)).toMatchObject({ exitCode: 9, writes: [] });
    expect(estimates.length).toBeLessThanOrEqual(8);
    await world.run(`${line} --stop-after 1`, async (request, answer) =>
      isSend(request) ? reply(400, { success: false, error: "no" }) : await answer(),
    );
    estimates.length = 0;
    await exited({ exitCode: 12, writes: [] }, world.run(`${line} --resume -o json`, silent));
    expect(estimates.length).toBeLessThan(20);
  });
});

test("--dry-run sends nothing, and shows each request", async () => {
  const world = payingWorld();
  const ran = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --dry-run`));
  expect(ran.stdout.match(/^POST /gm)).toHaveLength(3);
  expect(ran.stderr).toContain("each gas limit is raised");
  expect(world.journal.entries).toEqual([]);
});
