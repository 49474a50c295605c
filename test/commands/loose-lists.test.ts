import fc from "fast-check";
import { type JsonObject, parseJson, writeJson } from "../../src/contract/json.ts";
import { withMaskedRpcUrls } from "../../src/contract/rpc-url.ts";
import { cli } from "../helpers/cli.ts";
import { runs } from "../helpers/deep.ts";
import { listBody } from "../helpers/json-texts.ts";
import { reply, success } from "../helpers/service/reply.ts";

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
