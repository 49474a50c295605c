import fc from "fast-check";
import { type JsonObject, type JsonValue, parseJson, writeJson } from "../../src/contract/json.ts";
import { withMaskedRpcUrls } from "../../src/contract/rpc-url.ts";
import type { ResourceView } from "../../src/terminal/view.ts";
import { notificationView } from "../../src/views/notification.ts";
import { pluginView } from "../../src/views/plugin.ts";
import { relayerView } from "../../src/views/relayer.ts";
import { networkView } from "../../src/views/rpc-url-flags.ts";
import { signerView } from "../../src/views/signer.ts";
import { transactionView } from "../../src/views/transaction/record.ts";
import { cli, ends, says } from "../helpers/cli.ts";
import { runs } from "../helpers/deep.ts";
import { listBody } from "../helpers/json-texts.ts";
import { reply, success } from "../helpers/service/reply.ts";

const VIEWS = [relayerView, notificationView, transactionView, networkView, signerView, pluginView] as ResourceView[];

/** Items with members of every sort that a service may send, and that a cell shows. */
function itemsOf({ fields }: ResourceView): fc.Arbitrary<JsonObject> {
  const names = new Set(fields.map((path) => path.split(".")[0] ?? path));
  const value = fc.oneof(
    fc.boolean(),
    fc.jsonValue(),
    fc.constantFrom("confirmed", "failed", "pending", "reverted on-chain", "consumed externally", "5"),
    fc.constantFrom({ type: "NonceSyncFailed", details: "x" }, { type: "Multiple", details: [{ type: "a" }, "b"] }),
  );
  const values = Object.fromEntries([...names].map((name) => [name, value]));
  return fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Record<string, JsonValue>>;
}

test.each(VIEWS.map((view) => [view.many, view] as const))(
  "a cell of %s depends only on the fields that it declares, and shows the text of one as it is if it declares that",
  (_, view) => {
    const columns = view.table.filter(({ reads }) => reads);
    expect(columns.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(itemsOf(view), (item) => {
        for (const { cell, apart, reads = [], shows = "" } of columns) {
          const some = Object.fromEntries(Object.entries(item).filter(([name]) => reads.includes(name)));
          expect(cell(some)).toEqual(cell(item));
          expect(apart?.(some)).toEqual(apart?.(item));
          if (item[shows] && typeof item[shows] === "string") expect(cell(item)).toEqual({ text: item[shows] });
        }
      }),
      runs(20, 6_000),
    );
  },
);

test("every cell of relayers and notifications declares its fields", () => {
  for (const { table } of [relayerView, notificationView])
    expect(table.filter(({ reads }) => reads === undefined)).toEqual([]);
});

describe("several resources", () => {
  test("shows the resources as a list, in typed order", async () => {
    const ran = await cli("relayers get polygon-bulk base-hot eth-main-1 -o name");
    expect(ran).toMatchObject({ exitCode: 0, stdout: "polygon-bulk\nbase-hot\neth-main-1\n" });
    const list = await cli("notifications get ops-hook audit-log -o json");
    expect(JSON.parse(list.stdout)).toMatchObject([{ id: "ops-hook" }, { id: "audit-log" }]);
  });

  test("sends one request for an ID that is typed twice", async () => {
    const ran = await cli("networks get evm:mainnet evm:sepolia evm:mainnet -o name");
    expect(ran.stdout).toBe("evm:mainnet\nevm:sepolia\n");
    expect(ran.requests).toHaveLength(2);
  });

  test("shows what exists, reports what is missing, and ends with 12", async () => {
    const ran = await cli("relayers get base-hot nope eth-main-1 -o name");
    expect(ran).toMatchObject({ exitCode: 12, stdout: "base-hot\neth-main-1\n" });
    expect(ran.stderr).toBe(
      "error: 1 of 3 relayers failed\n  nope: Relayer with ID nope not found\n  hint: relayctl relayers list\n",
    );
  });

  test("ends with 5 if none exists", async () => {
    const ran = await ends({ exitCode: 5, stdout: "" }, "relayers get nope neither");
    expect(ran.stderr).toContain(
      "error: 2 of 2 relayers failed\n  nope not_found: Relayer with ID nope not found\n  neither not_found: ",
    );
  });

  test("prints the requests with --dry-run", async () => {
    const ran = await ends({ exitCode: 0, requests: [] }, "relayers get base-hot eth-main-1 --dry-run");
    expect(ran.stdout.match(/^GET .*/gm)).toEqual(["GET /api/v1/relayers/base-hot", "GET /api/v1/relayers/eth-main-1"]);
  });

  test("cannot be printed raw", async () => {
    const ran = await ends({ exitCode: 2, requests: [] }, "relayers get base-hot eth-main-1 -o raw");
    expect(ran.stderr).toContain("-o: raw is the response to one request; specify one relayer");
  });
});

const RELAYER = "hint: relayctl relayers list\n";

test.each([
  ["relayers delete nope --yes", RELAYER],
  ["relayers pause nope --diff", RELAYER],
  ["relayers pause nope --dry-run --diff", RELAYER],
  ["relayers update nope --policy gas_price_cap=1", RELAYER],
  ["relayers balance nope", "Relayer with ID nope not found"],
  ["relayers balance nope nope2", RELAYER],
  ["relayers clone nope --id b --signer-id s", RELAYER],
  ["tx list nope", RELAYER],
  ["tx get nope t", RELAYER],
  ["tx get eth-main-1 nope", "hint: relayctl tx list eth-main-1\n"],
  ["tx cancel eth-main-1 nope --yes", "hint: relayctl tx list eth-main-1\n"],
  ["tx replace eth-main-1 nope --value 1 --yes", "hint: relayctl tx list eth-main-1\n"],
])("%s exits with 5, and sends nothing", (line, words) => says({ exitCode: 5, stdout: "", writes: [] }, line, words));

const FORMATS = ["table", "json", "ndjson", "yaml", "csv", "tsv", "name"];
const FIELDS = ["name", "network", "network_type", "paused", "system_disabled", "disabled_reason", "policies"];
const RPC_URLS = ["custom_rpc_urls", "rpc_urls"];

test.each(["relayers", "notifications"])("%s are listed if only their ID is valid", async (noun) => {
  const fields = fc.dictionary(fc.constantFrom(...FIELDS, ...RPC_URLS, "url", "type"), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FORMATS), fields, async (format, item) => {
      const service = async () => success([{ id: "r1", ...item }]);
      const { exitCode, stdout } = await cli(`${noun} list -o ${format}`, { service, columns: 400, isMalformed: true });
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining("r1")]);
    }),
    runs(3, 800),
  );
});

test.each([
  '"https://user:hunter2@h.example/hunter2"',
  '{"url":"https://h.example/hunter2"}',
  '[["https://h.example/?key=hunter2"]]',
])("masks an RPC URL in any place: %s", async (urls) => {
  for (const format of FORMATS) {
    const service = async () => success(`[{"id":"r1","custom_rpc_urls":${urls},"rpc_urls":${urls}}]`);
    const { stdout } = await cli(`relayers list -o ${format}`, { service, isMalformed: true });
    expect(stdout).not.toContain("hunter2");
  }
});

/** The ndjson that follows from what the exact reader finds. */
function writtenOut(body: string): string {
  const { data } = parseJson(body) as { data: JsonObject[] } & JsonObject;
  const lines = data.map((item) => `${writeJson(withMaskedRpcUrls(item))}\n`);
  return lines.join("").replace(/[\x7f-\x9f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

test("ndjson is the same whether items are copied or built", async () => {
  await fc.assert(
    fc.asyncProperty(listBody, async (body) => {
      const { exitCode, stdout } = await cli("relayers list --page 1 -o ndjson", {
        service: async () => reply(200, body),
        isMalformed: true,
      });
      // Draws a refused body again, so that every run compares something.
      fc.pre(exitCode === 0);
      expect(stdout).toBe(writtenOut(body));
    }),
    runs(3, 600),
  );
});
