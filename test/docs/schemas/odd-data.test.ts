import { cli, exited } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";
import { schemaNamed } from "./schemas.ts";
import { violations } from "./violations.ts";

const LISTS = {
  relayer: "relayers list",
  network: "networks list",
  notification: "notifications list",
  plugin: "plugins list",
  signer: "signers list",
  transaction: "tx list r1",
} as const;

type Name = keyof typeof LISTS;

async function printed(name: Name, item: string): Promise<{ exitCode: number; value: unknown; stdout: string }> {
  const pagination = { current_page: 1, per_page: 100, total_items: 1 };
  const body = `{"success":true,"data":[${item}],"error":null,"pagination":${JSON.stringify(pagination)}}`;
  const { exitCode, stdout } = await cli(`${LISTS[name]} -o json`, { service: async () => reply(200, body) });
  return { exitCode, stdout, value: (JSON.parse(stdout) as unknown[])[0] };
}

const NAMES = Object.keys(LISTS) as Name[];

/** Members that are always there, or that relayctl adds. */
const NEVER_NULL = ["id", "why"];

test.each(NAMES)("a %s can have null in every member of the service but its ID", async (name) => {
  const members = Object.keys(schemaNamed(name).properties ?? {}).filter((member) => !NEVER_NULL.includes(member));
  const nulls = Object.fromEntries(members.map((member) => [member, null]));
  const { value } = await exited(0, printed(name, JSON.stringify({ id: "a", ...nulls })));
  expect(violations(schemaNamed(name), value, { isStrict: true })).toEqual([]);
});

test.each(NAMES)("a %s can have its ID alone, and members of a later service", async (name) => {
  for (const item of ['{"id":"a"}', '{"id":"a","later":{"deep":[1]}}']) {
    const { value } = await printed(name, item);
    expect(value).toEqual(JSON.parse(item));
    expect(violations(schemaNamed(name), value)).toEqual([]);
  }
});

test.each([
  ["transaction", '{"id":"a","value":340282366920938463463374607431768211455,"nonce":9007199254740993}'],
  ["transaction", '{"id":"a","value":"340282366920938463463374607431768211455","gas_limit":"0x5208"}'],
  ["relayer", '{"id":"a","policies":{"min_balance":340282366920938463463374607431768211455}}'],
  ["network", '{"id":"evm:a","chain_id":18446744073709551616}'],
] as const)("integers of any size match the schema of a %s, and are printed digit by digit: %s", async (name, item) => {
  const { stdout, value } = await printed(name, item);
  for (const [number] of item.matchAll(/[0-9]{5,}/g)) expect(stdout).toContain(number);
  expect(violations(schemaNamed(name), value)).toEqual([]);
});

test("masked RPC URLs match the schemas", async () => {
  const urls = [{ url: "https://rpc.example.org/v3/0123456789abcdef", weight: 100 }];
  for (const [name, item] of [
    ["relayer", { id: "a", custom_rpc_urls: urls }],
    ["network", { id: "evm:a", rpc_urls: urls }],
    ["network", { id: "evm:a", rpc_urls: ["https://rpc.example.org/v3/0123456789abcdef"] }],
  ] as const) {
    const { stdout, value } = await printed(name, JSON.stringify(item));
    expect(stdout).toContain("***");
    expect(stdout).not.toContain("0123456789abcdef");
    expect(violations(schemaNamed(name), value, { isStrict: true })).toEqual([]);
  }
});

test.each([
  ["relayer", { id: 1 }, [".id"]],
  ["relayer", { name: "a" }, [".id"]],
  ["transaction", { id: "a", nonce: true }, [".nonce"]],
  ["transaction", { id: "a", status: 3 }, [".status"]],
  ["balance", { unit: "wei" }, [".balance"]],
  ["match", { kind: "relayer", context: "demo", relayer: null, id: "a", what: "", cmd: "" }, [".command", ".cmd"]],
])("the schema of a %s rejects %j", (name, value, wrong) => {
  expect(violations(schemaNamed(name), value)).toEqual(wrong);
});
