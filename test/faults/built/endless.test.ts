import { createServer } from "node:http";
import { chosen } from "../../helpers/deep.ts";
import { exited } from "../../helpers/exited.ts";
import { listenInTest } from "../../helpers/service/listen.ts";
import { runBuilt } from "./run-built.ts";

/** V8 ends a process that holds more than this, in MiB, with an abort. */
const HEAP = 64;
const MOST_PAGES = 3_000;

const relayer = (id: string, more = "") =>
  `{"id":"${id}","name":"Relayer ${id}","network":"mainnet","network_type":"evm","paused":false,"signer_id":"s"${more}}`;
const ITEMS: Record<string, { size: number; item(id: string): string }> = {
  "usual items": { size: 1000, item: (id) => relayer(id) },
  "items of 1 MB": { size: 1, item: (id) => relayer(id, `,"note":"${"x".repeat(1_000_000)}"`) },
  "items of empty objects": { size: 40, item: (id) => relayer(id, `,"a":[${"{},".repeat(800)}{}]`) },
};

/** A service whose list never ends, with ever new IDs. It stops after more pages than any test needs. */
async function endless(kind: string, total_items?: number): Promise<string> {
  const { size, item } = ITEMS[kind] ?? { size: 0, item: relayer };
  let pages = 0;
  const server = createServer((_, response) => {
    if (pages === MOST_PAGES) return void response.destroy();
    const items = Array.from({ length: size }, (_, index) => item(`r${pages * size + index}`));
    pages++;
    const pagination = { current_page: pages, per_page: size, total_items };
    const counted = total_items === undefined ? "" : `,"pagination":${JSON.stringify(pagination)}`;
    response.setHeader("content-type", "application/json");
    response.end(`{"success":true,"data":[${items}],"error":null${counted}}`);
  });
  return `http://127.0.0.1:${await listenInTest(server)}`;
}

async function run(line: string, origin: string) {
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP}`, RELAYCTL_TIMEOUT: "1h" };
  return await runBuilt(line.split(" "), { origin, env });
}

describe("an endless list fails with exit code 9, and never with V8's abort", () => {
  const lines: readonly (readonly [string, string, number | undefined])[] = [
    ["relayers list -o yaml", "items of 1 MB", 1e15],
    ["relayers pause --all --yes", "usual items", 1e15],
    ["relayers list -o json", "usual items", undefined],
    ["relayers list -o table", "usual items", 1e15],
    ["relayers list --query [*].[@,@] -o json", "items of empty objects", 1e15],
  ];

  // test/faults/endless-holders.test.ts tries the others in this process.
  test.each(chosen(lines, 1))("%s of %s", async (line, kind, total) => {
    const { stdout, stderr } = await exited(9, run(line, await endless(kind, total)));
    expect(stdout).toBe("");
    expect(stderr).toMatch(/the list takes more than [0-9]+ MiB of memory, the limit for one list/);
    expect(stderr).toMatch(/[0-9,]+ of (?:an unknown number|1,000,000,000,000,000) were read/);
    expect(stderr).toContain(
      line.includes("list") ? "relayers list --output ndjson" : "relayctl relayers list --limit 1000",
    );
  });

  test("and a streamed list stops at --max-items, after whole rows", async () => {
    const origin = await endless("usual items", 1e15);
    const { stdout, stderr } = await exited(9, run("relayers list -o ndjson --max-items 20500", origin));
    expect(stdout.trimEnd().split("\n")).toHaveLength(20_000);
    expect(stderr).toContain("the list takes more than 20,500 items, the limit for one list; 20,000 of 1,000,000,000");
    expect(stderr).toContain("raise --max-items");
  });
});
