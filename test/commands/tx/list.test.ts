import { cli, ends, exits, printedError, says } from "../../helpers/cli.ts";
import { pageReply, refusal, reply } from "../../helpers/service/reply.ts";
import { freezable, relayer, submitted } from "../relayers/freeze/service.ts";
import { answering, evmRecord, many, NOOP, one, relayerRecord, solanaRecord, stellarRecord } from "./wire.ts";

describe("tx list", () => {
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
});

describe("tx list of the fleet", () => {
  const RELAYERS = [
    relayer("r3", { network: "polygon" }),
    relayer("r1"),
    relayer("paused", { paused: true }),
    relayer("sol", { network_type: "solana", network: "devnet" }),
    relayer("disabled", { system_disabled: true }),
  ];
  const TRANSACTIONS = {
    r1: [submitted("b"), submitted("a")],
    r3: [submitted("c")],
    sol: [solanaRecord()],
    paused: [submitted("x")],
  };
  const service = freezable({ relayers: RELAYERS, transactions: TRANSACTIONS });

  test("lists the transactions of every active relayer, by relayer, newest first", async () => {
    const ran = await exits(0, "tx list -o json", { service });
    const items: { id: string; relayer_id: string }[] = JSON.parse(ran.stdout);
    expect(items.map(({ id, relayer_id }) => [relayer_id, id])).toEqual([
      ["r1", "b"],
      ["r1", "a"],
      ["r3", "c"],
      ["sol", "s1"],
    ]);
    expect(ran.stderr).toBe("note: 2 relayers that are not active are left out; list one by its ID\n");
  });

  test("shows the relayer first, and amounts in the coin of each network", async () => {
    const { stdout } = await cli("tx list --color never", { service, terminal: true, columns: 250 });
    expect(stdout).toMatch(/^ +RELAYER +ID +STATUS +NONCE +AGE/);
    expect(stdout).toMatch(/^! r1 +a .* 0\.2 ETH /m);
    expect(stdout).toMatch(/^! r3 +c .* 0\.2 POL /m);
  });

  test("a relayer whose list cannot be read hides no other, and the exit code is 12", async () => {
    const instead = { "GET /relayers/r1/transactions": refusal(500, "boom") };
    const failing = freezable({ relayers: RELAYERS, transactions: TRANSACTIONS, instead });
    const ran = await exits(12, "tx list -o ndjson --retries 0", { service: failing });
    expect(
      ran.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(["c", "s1"]);
    expect(printedError(ran.stderr)).toMatchObject({
      code: "partial",
      applied: "no",
      details: [{ where: "r1", given: "server" }],
    });
  });

  test("fails like each of them if no list can be read", async () => {
    const instead = { "GET /relayers/r1/transactions": refusal(500, "boom") };
    const failing = freezable({ relayers: [relayer("r1")], instead });
    expect(await cli("tx list --retries 0", { service: failing })).toMatchObject({ exitCode: 9, stdout: "" });
  });

  test("requests nothing further once there are enough", async () => {
    const relayers = Array.from({ length: 30 }, (_, index) => relayer(`r${index + 10}`));
    const transactions = Object.fromEntries(
      relayers.map((each) => [String((each as { id: string }).id), [submitted("t")]]),
    );
    const { stdout, requests } = await cli("tx list --limit 1 -o name", {
      service: freezable({ relayers, transactions }),
    });
    expect(stdout).toBe("t\n");
    expect(requests.length).toBeLessThanOrEqual(1 + 8);
  });

  test("filters by status on the service, and by conditions here", async () => {
    const { stdout, requests } = await cli("tx list --status submitted --where relayer_id=r3 -o name", { service });
    expect(stdout).toBe("c\n");
    expect(requests.filter(({ target }) => target.includes("status=submitted"))).toHaveLength(3);
  });

  test("shows its requests in a dry run", async () => {
    const { stdout } = await cli("tx list --status sent --dry-run", { service });
    expect(stdout.match(/^GET \S+/gm)).toEqual(
      ["r1", "r3", "sol"].map((id) => `GET /api/v1/relayers/${id}/transactions?status=sent`),
    );
  });

  test.each([
    ["--page 2", "--page: needs a relayer"],
    ["-o raw", "specify a relayer"],
  ])("rejects %s without a relayer", async (flags, words) => {
    expect(await cli(`tx list ${flags}`, { service })).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr: expect.stringContaining(words),
    });
  });
});

const NOW = "2026-11-21T03:12:07Z";
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
const SERVICE = answering({
  "GET /relayers/evm-1": one(relayerRecord()),
  "GET /relayers/evm-1/transactions": many([
    evmRecord({ id: "t9", nonce: 9, created_at: ago(5) }),
    evmRecord({ id: "t8", nonce: 5, created_at: ago(40), status: "confirmed" }),
    evmRecord({ id: "t7", nonce: 7, created_at: ago(301), speed: "average" }),
    evmRecord({ id: "t6", nonce: 6, created_at: ago(299), status: "canceled" }),
  ]),
});
const TERMINAL = { service: SERVICE, terminal: true, columns: 200 };

test("a terminal shows ages, what waits for what, and what has been pending for longer than usual", async () => {
  const { stdout } = await cli("tx list evm-1 --color never", TERMINAL);
  expect(stdout.split("\n").map((line) => line.trim().split(/ {2,}/).slice(0, 5))).toEqual([
    ["ID", "STATUS", "NONCE", "AGE", "WAITS FOR"],
    ["○ t9", "submitted", "9", "5s", "nonce 7"],
    ["✓ t8", "confirmed", "5", "40s", "–"],
    ["! t7", "submitted · slow", "7", "5m", "–"],
    ["✗ t6", "canceled", "6", "4m", "–"],
    [""],
  ]);
});

test("nothing waits for a nonce that a mined transaction proves to be used, wherever that is listed", async () => {
  const late = [
    evmRecord({ id: "t9", nonce: 9, created_at: ago(5) }),
    evmRecord({ id: "t8", nonce: 8, created_at: ago(6) }),
    evmRecord({ id: "t5", nonce: 5, created_at: ago(400) }),
    evmRecord({ id: "t6", nonce: 6, created_at: ago(300), status: "confirmed" }),
  ];
  const pages = {
    "GET /relayers/evm-1": one(relayerRecord()),
    "GET /relayers/evm-1/transactions": many(late),
    "GET /relayers/evm-1/transactions/t9": one(late[0] ?? {}),
  };
  const { stdout } = await cli("tx list evm-1 --color never", { ...TERMINAL, service: answering(pages) });
  expect(
    stdout
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/).slice(0, 5))
      .slice(1, 4),
  ).toEqual([
    ["○ t9", "submitted", "9", "5s", "nonce 8"],
    ["● t8", "submitted", "8", "6s", "–"],
    ["! t5", "submitted · slow", "5", "6m", "–"],
  ]);
  const shown = await cli("tx get evm-1 t9 --color never", { ...TERMINAL, service: answering(pages) });
  expect(shown.stdout).toMatch(/^why +it waits for nonce 8: /m);
});

test("a table in a pipe shows exact times, and nothing that changes with the clock", async () => {
  const { stdout } = await cli("tx list evm-1 -o table", { service: SERVICE });
  expect(stdout).toMatch(/^t9 +submitted +9 +2026-11-21 03:12:02Z /m);
  expect(stdout).not.toMatch(/slow|waits/);
});

test("data output has neither, and requests nothing but the list", async () => {
  const { stdout, requests } = await cli("tx list evm-1", { service: SERVICE });
  expect(stdout).not.toMatch(/slow|waits/);
  expect(requests).toHaveLength(1);
});

test("a narrow terminal keeps status and age", async () => {
  const { stdout } = await cli("tx list evm-1 --color never", { ...TERMINAL, columns: 50 });
  expect(stdout.split("\n")[0]).toMatch(/ID +STATUS .*AGE/);
});

describe("several transactions", () => {
  const PATH = "/relayers/evm-1/transactions";

  const held = (...ids: string[]) =>
    Object.fromEntries(ids.map((id) => [`GET ${PATH}/${id}`, one(evmRecord({ id, value: "1000000000000000000" }))]));

  test("lists the records in typed order, one request each", async () => {
    const ran = await cli("tx get evm-1 t3 t1 t2 t1 -o name", { service: answering(held("t1", "t2", "t3")) });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "t3\nt1\nt2\n", stderr: "" });
    expect(ran.requests).toHaveLength(3);
  });

  test("prints an array as JSON, and a line per record as ndjson, with the records as received", async () => {
    const service = answering(held("t1", "t2"));
    const records = ["t2", "t1"].map((id) => evmRecord({ id, value: "1000000000000000000" }));
    expect(JSON.parse((await cli("tx get evm-1 t2 t1 -o json", { service })).stdout)).toEqual(records);
    const { stdout } = await cli("tx get evm-1 t2 t1 -o ndjson", { service });
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(records);
  });

  test("prints one ID as before, as an object", async () => {
    const { stdout } = await cli("tx get evm-1 t1 -o json", { service: answering(held("t1")) });
    expect(JSON.parse(stdout)).toMatchObject({ id: "t1" });
  });

  test("reads IDs from stdin", async () => {
    const ran = await cli("tx get evm-1 - -o name", { service: answering(held("t1", "t2")), stdin: "t2\nt1\n" });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "t2\nt1\n" });
  });

  test("draws the amounts of a table in the coin of the relayer's network, read once", async () => {
    const ids = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9";
    const ran = await cli(`tx get eth-main-1 ${ids} --color never`, { terminal: true, columns: 140 });
    expect(ran.stdout).toMatch(/^ +ID +STATUS +NONCE +AGE.*\n.*6f1a2c1e.*0\.2 ETH.*\n.*1a2b3c4d.*0\.05 ETH/);
    expect(ran.requests.filter(({ target }) => target === "/api/v1/relayers/eth-main-1")).toHaveLength(1);
  });

  test("shows what exists, reports what is missing, and ends with 12", async () => {
    const missing = reply(404, { success: false, data: null, error: "Transaction with ID nope not found" });
    const service = answering({ ...held("t1", "t2"), [`GET ${PATH}/nope`]: missing });
    const ran = await ends({ exitCode: 12, stdout: "t2\nt1\n" }, "tx get evm-1 t2 nope t1 -o name", { service });
    expect(ran.stderr).toBe(
      "error: 1 of 3 transactions failed\n  nope: Transaction with ID nope not found\n  hint: relayctl tx list evm-1\n",
    );
  });

  test("reports a transaction of another relayer like a missing one", async () => {
    const other = one(evmRecord({ id: "t2", relayer_id: "evm-2" }));
    const service = answering({ ...held("t1"), [`GET ${PATH}/t2`]: other });
    const ran = await ends({ exitCode: 12, stdout: "t1\n" }, "tx get evm-1 t1 t2 -o name", { service });
    expect(ran.stderr).toContain("t2: transaction t2 belongs to relayer evm-2, not to evm-1");
  });

  test("ends with 5 if none exists", () =>
    says({ exitCode: 5, stdout: "" }, "tx get eth-main-1 nope neither", "error: 2 of 2 transactions failed\n"));

  test("prints the requests with --dry-run", async () => {
    const ran = await ends({ exitCode: 0, requests: [] }, "tx get evm-1 t1 t2 --dry-run");
    expect(ran.stdout.match(/^GET .*/gm)).toEqual([`GET /api/v1${PATH}/t1`, `GET /api/v1${PATH}/t2`]);
  });

  test.each([
    ["t1 t2 -o raw", "-o: raw is the response to one request; specify one transaction"],
    ["t1 t2 --on-chain", "--on-chain: compares one transaction with the chain; specify one transaction"],
    ["t1 t2 --watch", "--watch: follows one transaction; for several, use `relayctl tx wait`"],
    ["t1 t2 --why", "--why: explains one transaction; specify one transaction"],
    ["t1 t2 --was 0x12", "--was: is a hash of one transaction"],
    ["t1 t2 --node https://node.example.org", "--node: has no effect without --on-chain, --why, or --watch"],
    ["t1 a/b", "<tx-id> 2 a/b: "],
  ])("%s is exit 2, and sends nothing", (words, problem) =>
    says({ exitCode: 2, stdout: "", requests: [] }, `tx get evm-1 ${words}`, problem),
  );
});
