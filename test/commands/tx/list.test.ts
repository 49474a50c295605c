import { cli, says } from "../../helpers/cli.ts";
import { pageReply } from "../../helpers/service/reply.ts";
import { answering, evmRecord, many, NOOP, one, relayerRecord, stellarRecord } from "./wire.ts";

const LIST = "GET /relayers/evm-1/transactions";

const records = [
  evmRecord({ id: "z-newest", status: "pending", nonce: null, hash: null }),
  evmRecord({ id: "m-sent", status: "sent", is_canceled: true, ...NOOP }),
  evmRecord({ id: "a-submitted", value: "0xde0b6b3a7640000" }),
  evmRecord({ id: "c-confirmed", status: "confirmed" }),
];
const relayer = one(relayerRecord({ network: "polygon" }));
const service = answering({ [LIST]: many(records), "GET /relayers/evm-1": relayer });

test("keeps the service's order, newest first", async () => {
  const { stdout, requests } = await cli("tx list evm-1 -o name", { service });
  expect(stdout.trim().split("\n")).toEqual(["z-newest", "m-sent", "a-submitted", "c-confirmed"]);
  expect(requests.map(({ target }) => target)).toEqual(["/api/v1/relayers/evm-1/transactions?page=1&per_page=1000"]);
});

test("shows amounts with units, and explains the status", async () => {
  const { stdout } = await cli("tx list evm-1 --color never", { service, terminal: true, columns: 400 });
  expect(stdout).toContain("  1 POL  ");
  expect(stdout).toMatch(/^! m-sent +sent · being canceled /m);
});

test("requests one status, and also filters a response with every status", async () => {
  const { stdout, requests } = await cli("tx list evm-1 --status submitted -o name", { service });
  expect(requests[0]?.target).toContain("?status=submitted&page=1");
  expect(stdout).toBe("a-submitted\n");
});

test("excludes transactions with a cancellation in progress from a pending status, like the service", async () => {
  const ran = await cli("tx list evm-1 --status sent -o json", { service });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "[]\n", stderr: expect.stringContaining("no transactions in") });
  const confirmed = [evmRecord({ id: "late", status: "confirmed", is_canceled: true, ...NOOP })];
  const { stdout } = await cli("tx list evm-1 --status confirmed -o name", {
    service: answering({ [LIST]: many(confirmed) }),
  });
  expect(stdout).toBe("late\n");
});

test("applies --limit after the filter, across pages", async () => {
  const all = Array.from({ length: 12 }, (_, index) =>
    evmRecord({ id: `t${String(index).padStart(2, "0")}`, status: index % 5 === 4 ? "failed" : "confirmed" }),
  );
  const paged = answering({
    [LIST]: ({ target }) => pageReply(all, target),
  });
  const { stdout, requests } = await cli("tx list evm-1 --status failed --limit 2 --per-page 4 -o name", {
    service: paged,
  });
  expect(stdout).toBe("t04\nt09\n");
  expect(requests).toHaveLength(3);
});

test.each([
  ["--status Submitted", "--status Submitted: one of pending, sent, submitted"],
  ["--status cancelled", "did you mean canceled?"],
  ["--status sent --status mined", "--status"],
  ["--sort speeed", "closest: speed, "],
  ["--page -1", "--page"],
])("rejects %s before any request", (flags, words) =>
  says({ exitCode: 2, requests: [] }, `tx list evm-1 ${flags}`, words, { service }),
);

test("shows the request in a dry run", async () => {
  const { stdout } = await cli("tx list evm-1 --status mined --limit 5 --dry-run");
  expect(stdout.split("\n")[0]).toBe("GET /api/v1/relayers/evm-1/transactions?status=mined&page=1&per_page=1000");
});

test("filters, sorts, and selects by the fields of transactions", async () => {
  const line = "tx list evm-1 --where value>0.5eth --fields id,value --sort=-created_at -o csv";
  expect((await cli(line, { service })).stdout).toBe("id,value\r\na-submitted,0xde0b6b3a7640000\r\n");
});

test("lists transactions of other network types", async () => {
  const stellar = answering({ "GET /relayers/xlm-1/transactions": many([stellarRecord()]) });
  expect((await cli("tx list xlm-1 -o json", { service: stellar })).stdout).toContain(
    '"sequence_number": "4294967297"',
  );
});
