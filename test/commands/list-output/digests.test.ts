import { createHash } from "node:crypto";
import { transactionPage } from "../../../scripts/bench/transactions.js";
import { variedPage } from "../../../scripts/bench/varied-fleet.js";
import { runArgv } from "../../../src/cli/run.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { chosen, DEEP } from "../../helpers/deep.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { reply } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { TOKEN, testApp, type World } from "../../helpers/test-app.ts";
import { formatted, ODD, type Pages, pageWith, READ, REFUSED } from "./hostile-pages.ts";

/** Three pages of the service. */
const SIZE = 600;
const LARGEST_PAGE = 250;
const FORMATS = ["ndjson", "json", "yaml", "csv", "tsv", "name", "table", "raw"];
/** Every format, and what selects and orders items in both ways: with and without all of them in memory. */
const LINES = [
  ...FORMATS.map((format) => `-o ${format}`),
  "",
  "-o ndjson --where paused --where network=mainnet",
  "-o table --where state=disabled",
  "-o ndjson --sort=-name",
  "-o table --sort network",
  "-o ndjson --fields id,policies.min_balance,custom_rpc_urls",
  "-o table --fields name,id,disabled_reason.type",
  "-o csv --fields id,name,policies",
  "-o json --query [].{id:id,cap:policies.gas_price_cap}",
  "-o ndjson --limit 7",
  "-o table --limit 7",
];

/** One line for each way through the program. */
const FEW = ["-o ndjson", "-o table", "-o csv", "-o raw", "-o table --sort name"];

const TRANSACTION_LINES = ["-o ndjson", "-o table", "-o csv", "-o yaml --limit 20", "-o table --sort created_at"];

/** Returns a paragraph per command line: the exit code, the bytes on stdout and their digest, and what is on stderr. */
async function printed(service: Transport, lines = LINES, command = "relayers list"): Promise<string> {
  const ran = async (line: string, world: World) => {
    const { app, stdout, stderr } = testApp({ service, ...world });
    const exitCode = await runArgv(app, `${command} ${line}`.trim().split(" "));
    expect(stdout.text() + stderr.text()).not.toContain(TOKEN);
    const digest = createHash("sha256").update(stdout.bytes()).digest("hex");
    return `${line}: ${exitCode}, ${stdout.bytes().length} bytes, ${digest}\n${stderr.text()}`;
  };
  const found: string[] = [];
  for (const line of lines) found.push(await ran(line, {}));
  if (lines === LINES) found.push(await ran("-o table --color always", { terminal: true, columns: 100 }));
  return found.join("");
}

/** Sends the same response to the same request, as long as only its target counts. */
function remembered(service: Transport): Transport {
  const replies = new Map<string, ReturnType<Transport>>();
  return (request, limits) => {
    const known = replies.get(request.target) ?? service(request, limits);
    replies.set(request.target, known);
    return known;
  };
}

function uniformFleet(size: number): Transport {
  const clock = manualClock(undefined, new AbortController().signal);
  const server = testServer({ seed: `fleet:${size}`, clock });
  return remembered((request) => {
    const { number, perPage } = pageIn(request.target);
    return server({ ...request, target: `/api/v1/relayers?page=${number}&per_page=${perPage}` });
  });
}

function variedFleet(size: number): Transport {
  return pagesOf(variedPage, size);
}

function pagesOf(generate: typeof variedPage, size: number): Transport {
  return remembered(async ({ target }) => {
    const { number, perPage } = pageIn(target);
    return reply(200, generate(size, number, perPage));
  });
}

function serving(pages: Pages): Transport {
  return async ({ target }) => reply(200, pages[pageIn(target).number - 1]);
}

function pageIn(target: string) {
  const query = new URL(target, "http://h").searchParams;
  return { number: Number(query.get("page")), perPage: Math.min(Number(query.get("per_page")), LARGEST_PAGE) };
}

async function printedOf(lists: Readonly<Record<string, Pages>>, lines?: string[]): Promise<string> {
  const found: string[] = [];
  for (const [name, pages] of Object.entries(lists))
    found.push(`## ${name}\n\n${await printed(serving(pages), lines)}`);
  return found.join("\n");
}

const FLEETS = [
  ["uniform", uniformFleet],
  ["varied", variedFleet],
] as const;

test.each(chosen(FLEETS, 1))("prints a %s fleet as recorded, to the byte", async (name, fleet) => {
  await expect(await printed(fleet(SIZE))).toMatchFileSnapshot(`digests/${name}.txt`);
});

test.runIf(DEEP)("prints lists of any form as recorded, to the byte", async () => {
  await expect(
    `${await printedOf({ odd: [ODD] })}\n${await printedOf({ "spaces and line breaks": [formatted(ODD)], ...READ }, FEW)}`,
  ).toMatchFileSnapshot("digests/read.txt");
});

test("prints no secret that the service repeats, whatever the format", async () =>
  expect(await printed(serving([pageWith(TOKEN)]))).toMatchFileSnapshot("digests/secret.txt"));

test("prints transactions as recorded, to the byte", async () => {
  const found = await printed(pagesOf(transactionPage, SIZE), TRANSACTION_LINES, "tx list eth-main-1");
  await expect(found).toMatchFileSnapshot("digests/transactions.txt");
});

test("rejects lists with the recorded words, after the items that were read", async () =>
  expect(await printedOf(REFUSED, ["-o ndjson", "-o table"])).toMatchFileSnapshot("digests/rejected.txt"));

test.runIf(DEEP).each(FLEETS)("prints 100,000 relayers of a %s fleet as recorded, to the byte", async (name, fleet) => {
  await expect(await printed(fleet(100_000))).toMatchFileSnapshot(`digests/${name}-large.txt`);
});
