import { allCommands } from "../../../src/cli/all-commands.ts";
import { outputShapesOf } from "../../../src/cli/help/output-schemas.ts";
import { sendsRequest } from "../../../src/cli/request-flags.ts";
import type { AnyCommand } from "../../../src/commands/command.ts";
import { recognizeOperation } from "../../../src/contract/reply/recognize.ts";
import type { Field } from "../../../src/contract/resources/field.ts";
import { relayerFields } from "../../../src/contract/resources/relayer.ts";
import type { Method } from "../../../src/contract/wire.ts";
import { SURROUNDINGS } from "../../cli/example-surroundings.ts";
import { typed } from "../../cli/typed-examples.ts";
import { watching } from "../../commands/watch/watching.ts";
import { cli, type World } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { printedData, undocumented } from "../../helpers/printed-data.ts";
import { recorded } from "../../helpers/service/recorded.ts";
import type { Schema } from "./schema.ts";
import { schemaNamed } from "./schemas.ts";
import { unseen, violations } from "./violations.ts";

const COMMANDS = await allCommands();

function exampleOf(path: string, example: string): { argv: readonly string[]; world: World } {
  const { argv, input } = typed(example);
  const world = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
  const stdin = input === undefined ? {} : { stdin: world.files?.[input] ?? "" };
  return { argv, world: { env: {}, ...stdin, ...world } };
}

/** Flags that make an example print no data, a part of it, or another format. */
const OTHERWISE = ["-o", "--output", "--query", "--fields", "--dry-run", "--curl", "-i", "--listen", "--check"];

async function printedByExample(path: string, example: string, sends: AnyCommand["sends"]) {
  const { argv, world } = exampleOf(path, example);
  if (argv.some((word) => OTHERWISE.includes(word)) && !argv.includes("json")) return [];
  const json = argv.includes("json") ? [] : ["-o", "json"];
  const demo = sendsRequest(sends) && !argv.includes("--demo") ? ["--demo"] : [];
  const [first = "", ...rest] = argv;
  // What follows `--` is the line of another command.
  const formatted = argv.includes("--") ? [first, ...json, ...rest] : [...argv, ...json];
  const line = [...formatted, ...demo, ...(world.terminal ? ["--color", "never"] : [])];
  const { stdout } = await cli(line, world);
  return printedData(line, stdout) ?? [];
}

/** Without differences, drift prints nothing, and only events have a line. */
const SILENT = ["drift", "webhooks listen", "relayers guard"];
const PRINTING = COMMANDS.filter(([path]) => outputShapesOf(path).length > 0 && !SILENT.includes(path));

describe.each(sampled(PRINTING, 4))("%s", (path, { examples, sends }) => {
  test("prints in its examples exactly what a schema of the command describes", async () => {
    const printed = (await Promise.all(examples.map((example) => printedByExample(path, example, sends)))).flat();
    expect(printed).not.toEqual([]);
    expect(printed.flatMap((each) => undocumented(path, each, true))).toEqual([]);
  });
});

/** Lines whose output has every documented member at least once, and the members that the embedded server never returns. */
const LINES: Readonly<Record<string, { lines: readonly string[]; never?: readonly string[] }>> = {
  relayer: { lines: ["relayers list"] },
  network: { lines: ["networks list"], never: [".status_check", ".horizon_url"] },
  notification: { lines: ["notifications list"] },
  plugin: { lines: ["plugins list"] },
  signer: { lines: ["signers list"] },
  transaction: {
    lines: [
      "tx list eth-main-1",
      "tx list sol-pay",
      "tx list xlm-treasury",
      "tx get base-hot e5f60718-293a-4b4c-8d5e-6f708192a3b4 --why",
    ],
    never: [".is_canceled", ".instructions", ".transaction_result_xdr"],
  },
  balance: { lines: ["relayers balance base-hot sol-pay"] },
  status: { lines: ["--demo relayers status eth-main-1 eth-sepolia sol-pay xlm-pay --erc20"] },
  "stuck-transaction": { lines: ["tx stuck --older 10m"] },
};

/** Fields that v1.8 lacks, which no relayer of the embedded server has until a user sets them. */
const LATER = Object.entries<Field>(relayerFields).flatMap(([name, { v1_8 }]) => (v1_8 === undefined ? name : []));

test.each(Object.entries(LINES))(
  "the embedded server returns every documented member of %s",
  async (name, { lines, never = [] }) => {
    const values: unknown[] = [];
    for (const line of lines) values.push(...[JSON.parse((await cli(`${line} -o json`)).stdout)].flat());
    expect(violations({ type: "array", items: schemaNamed(name) }, values, { isStrict: true })).toEqual([]);
    const missing = unseen(schemaNamed(name), values);
    expect(missing.filter((path) => !LATER.includes(path.split(".").at(-1) ?? ""))).toEqual(never);
  },
);

/** Returns the schema of what the service responds with, which the command of the same name prints. */
function schemaOfService(id: string | undefined): Schema | undefined {
  const path = id?.replace(".", " ");
  const isCommand = COMMANDS.some(([known]) => known === path);
  const [shape] = isCommand ? outputShapesOf(path ?? "").filter(({ form }) => form !== "events") : [];
  const schema = shape && schemaNamed(shape.schema);
  return schema?.additionalProperties === true ? schema : undefined;
}

test("the recorded responses of the service have no other members", () => {
  const compared = recorded.flatMap(({ request, response }) => {
    const operation = recognizeOperation(request.method as Method, request.path.split("?")[0] ?? "")?.operation;
    const schema = schemaOfService(operation?.id);
    if (schema === undefined || response.status >= 300 || !response.body.startsWith("{")) return [];
    const items = [(JSON.parse(response.body) as { data: unknown }).data ?? []].flat();
    return items.map((item) => ({
      id: operation?.id,
      wrong: violations(schema, item, { isStrict: true }),
    }));
  });
  expect(compared.length).toBeGreaterThan(50);
  expect(compared.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});

test.each([
  "relayers get nothing -o json",
  "relayers pause eth-sepolia nothing -o json --yes",
  "relayers list --where a --where b -o ndjson",
  "tx send eth-main-1 --to 0x12 --value 1 -o json",
  "relayers delete eth-main-1 -o json",
  "find nothing-like-that -o json",
  "nonsense -o json",
])("a failure matches the schema of errors: %s", async (line) => {
  const { stderr } = await cli(line);
  const error = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
  expect(violations(schemaNamed("error"), error)).toEqual([]);
});

test("help --json matches its schema", async () => {
  const { stdout } = await cli("help --json");
  expect(violations(schemaNamed("help"), JSON.parse(stdout))).toEqual([]);
});

test.each(["relayers list", "relayers status", "tx list", "tx list r1"])(
  "every line of a watch matches the schema of its events: %s",
  async (line) => {
    const fleet = {
      relayers: [{ id: "r1", network_type: "evm" }, { id: "r2" }],
      statuses: { r1: { balance: Number.MAX_SAFE_INTEGER + 1, nonce: "7" } },
      transactions: { r1: [{ id: "t1", status: "pending", nonce: 7 }] },
    };
    const argv = `${line} --watch 5s -o ndjson`;
    const watch = await watching(argv, fleet);
    fleet.relayers = [{ id: "r1", network_type: "evm", paused: true } as never, { id: "r3" }];
    fleet.transactions = { r1: [{ id: "t1", status: "confirmed", nonce: 7 }] };
    await watch.pass(6);
    const { stdout } = await watch.end();
    const printed = printedData(argv.split(" "), stdout) ?? [];
    const events = new Set(printed.map(({ value }) => (value as { event: string }).event));
    expect([...events]).toEqual(expect.arrayContaining(["seen", "changed"]));
    const path = line.replace(" r1", "");
    expect(printed.flatMap((each) => undocumented(path, each))).toEqual([]);
  },
);
