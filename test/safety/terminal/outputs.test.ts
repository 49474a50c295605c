import { cli } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { HOSTILE } from "./hostile.ts";

// `cli` itself refuses every acting character in what it captures; these tests lead hostile texts to every output.

const ONE_PAGE = { current_page: 1, per_page: 10, total_items: 2 };
const LINES = ["relayers list", "relayers pause r1", "relayers pause r1 -o json"];
const FORMATS = ["table", "json", "ndjson", "yaml", "csv", "tsv", "name", "raw"];

function relayers(text: string) {
  const hostile = { id: text, name: text, network: text, network_type: text, address: text, notification_id: text };
  const nested = { system_disabled: true, disabled_reason: { type: text, details: text }, policies: { [text]: text } };
  return [
    { ...hostile, ...nested, [text]: text, custom_rpc_urls: [{ url: text }] },
    { id: "next", name: "next" },
  ];
}

describe.each(HOSTILE.map(([title, text], turn) => [title, text, turn] as const))(
  "%s from the service",
  (_, text, turn) => {
    test.each(sampled(FORMATS, 4, turn))("stays text in %s on a terminal and in a pipe", async (format) => {
      const service = async () => success(relayers(text), ONE_PAGE);
      for (const terminal of [true, false])
        expect((await cli(`relayers list -o ${format}`, { service, terminal })).exitCode).toBe(0);
    });

    test("adds no rows or cells", async () => {
      const service = async () => success(relayers(text), ONE_PAGE);
      const { stdout } = await cli("relayers list -o tsv", { service });
      const rows = stdout.split("\n").slice(0, -1);
      expect(rows).toHaveLength(2);
      expect(new Set(rows.map((row) => row.split("\t").length)).size).toBe(1);
      const table = await cli("relayers list", { service, terminal: true, columns: 4000 });
      expect(table.stdout.trimEnd().split("\n")).toHaveLength(3);
    });

    test("stays text in one resource, in facts, and in a receipt", async () => {
      const service = async () => success({ ...relayers(text)[0], id: "r1", paused: true });
      for (const format of sampled(FORMATS, FORMATS.length, turn)) {
        for (const terminal of [true, false])
          expect((await cli(`relayers get r1 -o ${format}`, { service, terminal })).exitCode).toBe(0);
      }
      expect((await cli("relayers pause r1 --diff --verbose", { service, terminal: true })).exitCode).toBe(0);
    });

    test.each(sampled([400, 401, 404, 409, 429, 500], 3, turn))(
      "stays text in the error for status %i",
      async (status) => {
        const answers = [refusal(status, text), reply(status, text), reply(status, `<html><title>${text}</title>`)];
        for (const [at, answer] of answers.entries()) {
          // Each command meets each form of a refusal, over the statuses; all of them each time in a deep run.
          for (const line of sampled(LINES, LINES.length, at + status)) {
            const { exitCode } = await cli(line, { service: async () => answer, terminal: true });
            expect(exitCode).toBeGreaterThan(1);
          }
        }
      },
    );
  },
);

test.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0", "＝1+1", "－1+1"])(
  "csv prevents a spreadsheet from running %j",
  async (name) => {
    const service = async () => success([{ id: "r1", name }], { ...ONE_PAGE, total_items: 1 });
    const { stdout } = await cli("relayers list -o csv --fields id,name --no-headers", { service });
    expect(stdout).toMatch(/^r1,"?'/);
  },
);

test("a request with a control character in an ID is rejected", async () => {
  for (const [, text] of HOSTILE.filter(([, hostile]) => /[\0-\x1f\x7f-\x9f]/.test(hostile)))
    expect(await cli(["relayers", "pause", text], { terminal: true })).toMatchObject({ exitCode: 2, requests: [] });
});
