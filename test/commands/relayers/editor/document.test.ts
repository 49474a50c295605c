import { editorDocument, readEditorDocument } from "../../../../src/commands/relayers/editor/edit-in-editor.ts";
import { parseJson, withoutComments } from "../../../../src/contract/json.ts";
import { policyFields } from "../../../../src/contract/policy.ts";
import type { Relayer } from "../../../../src/contract/resources/relayer.ts";
import { cli } from "../../../helpers/cli.ts";

async function relayer(id: string): Promise<Relayer> {
  return parseJson((await cli(`relayers get ${id} -o json`)).stdout) as Relayer;
}

const EVM: Relayer = { id: "r", network: "mainnet", network_type: "evm", name: "R", paused: false };

test.each(["eth-main-2", "sol-pay", "xlm-treasury"])("the document of %s", async (id) => {
  await expect(editorDocument(await relayer(id), "prod", "ETH")).toMatchFileSnapshot(`documents/${id}.txt`);
});

test.each(["evm", "solana", "stellar"] as const)("of an %s relayer has every policy, with null if unset", (kind) => {
  const document = parseJson(withoutComments(editorDocument({ ...EVM, network_type: kind }, "prod", "ETH")));
  const nulls = Object.keys(policyFields[kind]).map((key) => [key, null]);
  expect(document).toMatchObject({
    notification_id: null,
    custom_rpc_urls: null,
    policies: Object.fromEntries(nulls),
  });
});

test("changes nothing if it is read back unchanged", async () => {
  for (const id of ["eth-main-1", "eth-main-2", "sol-pay", "xlm-treasury", "polygon-bulk"]) {
    const before = await relayer(id);
    const text = editorDocument(before, "prod", "ETH");
    expect(readEditorDocument(text, text, { relayer: before, symbol: "ETH", labels: [] })).toEqual({ value: {} });
  }
});

test("keeps every digit, and shows amounts in a comment", () => {
  const text = editorDocument({ ...EVM, policies: { min_balance: 2n ** 128n - 1n } }, "prod", "ETH");
  expect(text).toContain(
    '"min_balance": 340282366920938463463374607431768211455, // 340282366920938463463.374607431768211455 ETH\n',
  );
});

test("expands an object that is set, and comments each of its fields", () => {
  const swap_config = { strategy: "jupiter-swap", jupiter_swap_options: { priority_fee_max_lamports: 5 } };
  const text = editorDocument({ ...EVM, network_type: "solana", policies: { swap_config } }, "prod", "ETH");
  expect(text).toContain(
    '      // one of jupiter-swap, jupiter-ultra, noop; null: not set\n      "strategy": "jupiter-swap",\n',
  );
  expect(text).toContain('        "priority_fee_max_lamports": 5, // 0.000000005 SOL\n');
});

test("omits the policies of an unknown network type", () => {
  const text = editorDocument({ ...EVM, network_type: "move", policies: { gas: 1 } }, "prod", "ETH");
  expect(Object.keys(parseJson(withoutComments(text)) as object)).not.toContain("policies");
  expect(text).toContain(
    "// The policies are not shown: this version of relayctl does not know this kind of relayer.\n",
  );
});

test("contains no secret, and no URL that looks complete but is not", () => {
  const custom_rpc_urls = [
    { url: "https://a.example/v2/SECRET", weight: 3 },
    { url: "https://user:SECRET@b.example" },
    { url: "https://c.example?key=SECRET" },
    { url: "https://d.example/" },
  ];
  const text = editorDocument({ ...EVM, custom_rpc_urls }, "prod", "ETH");
  expect(text).not.toContain("SECRET");
  expect(text.match(/"url": .*"/g)).toEqual([
    '"url": "https://a.example/***"',
    '"url": "https://***@b.example"',
    '"url": "https://c.example?***"',
    '"url": "https://d.example/"',
  ]);
});

test("escapes text for the terminal, and keeps names within their comments", () => {
  const text = editorDocument({ ...EVM, id: "r\n{}", name: "\u001b[31m\u202e" }, "prod\u0007", "ETH");
  expect(text.split("\n")[0]).toBe("// r\\u{a}{} · mainnet (evm) · prod\\u{7}");
  expect(text).toContain('"name": "\\u001b[31m\\u202e"');
});
