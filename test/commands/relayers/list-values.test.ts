import type { Transport } from "../../../src/client/transport/transport.ts";
import { parseJson, writeJson } from "../../../src/contract/json.ts";
import type { Relayer } from "../../../src/contract/resources/relayer.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { relayerView } from "../../../src/views/relayer.ts";
import { cli, ends, exits, printedError, says } from "../../helpers/cli.ts";
import { recordedAs, replyOf } from "../../helpers/service/recorded.ts";
import { pageReply, refusal, reply, success, wholeList } from "../../helpers/service/reply.ts";

const NOW = "2026-11-21T03:12:07Z";
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();

interface Queue {
  pending?: number | undefined;
  /** Created so many seconds ago, newest first. */
  submitted?: readonly number[];
  sent?: readonly number[];
}

/** A service with these relayers; `old` ignores the filter by status, as before v1.6. */
function fleet(queues: Readonly<Record<string, Queue>>, isOld = false): { service: Transport } {
  return {
    service: async ({ target }) => {
      const url = new URL(target, "http://x");
      const [, , , , id = "", what = ""] = url.pathname.split("/");
      const { pending, submitted = [], sent = [] } = queues[id] ?? {};
      if (what === "status")
        return pending === undefined ? refusal(500, "no node") : success({ pending_transactions_count: pending });
      if (what !== "transactions") return wholeList(Object.keys(queues).map((id) => ({ id })));
      const records = (status: string, ages: readonly number[]) =>
        ages.map((age, index) => ({ id: `${status}-${index}`, status, created_at: ago(age) }));
      const all = [...records("confirmed", [1]), ...records("submitted", submitted), ...records("sent", sent)];
      const listed = all.filter(({ status }) => isOld || status === url.searchParams.get("status"));
      return pageReply(listed, target);
    },
  };
}

const requested = ({ requests }: { requests: readonly { target: string }[] }, pattern: RegExp) =>
  requests.filter(({ target }) => pattern.test(target)).length;

describe("pending transactions in the list of relayers", () => {
  const FLEET = {
    r1: { pending: 3, submitted: [60, 3_600], sent: [7_300] },
    r2: { pending: 0 },
    r3: { pending: 1, sent: [5] },
  };

  test("are the count and the age of the oldest in seconds", async () => {
    const ran = await cli("relayers list --fields id,pending,oldest", fleet(FLEET));
    expect(ran).toMatchObject({ exitCode: 0, stderr: "", stdout: "r1\t3\t7300\nr2\t0\t\nr3\t1\t5\n" });
  });

  test("are numbers in JSON, and ages on a terminal", async () => {
    const json = await cli("relayers list --fields id,pending,oldest -o ndjson", fleet(FLEET));
    expect(json.stdout.split("\n").slice(0, 2)).toEqual([
      '{"id":"r1","pending":3,"oldest":7300}',
      '{"id":"r2","pending":0,"oldest":null}',
    ]);
    const shown = await cli("relayers list --fields id,oldest", { ...fleet(FLEET), terminal: true, columns: 80 });
    expect(shown.stdout.replaceAll(/\u001b\[\d+m/g, "")).toContain("ID  OLDEST\nr1      2h\n");
  });

  test("can be filtered and sorted by", async () => {
    const ran = await cli("relayers list --where pending>0 --where oldest<1h --sort=-pending -o name", fleet(FLEET));
    expect(ran.stdout).toBe("r3\n");
  });

  test("are requested only if they are named, and only of relayers that match the other conditions", async () => {
    expect(requested(await cli("relayers list --fields id,state", fleet(FLEET)), /status/)).toBe(0);
    const ran = await cli("relayers list --where id=r2 --fields id,pending", fleet(FLEET));
    expect(requested(ran, /\/status$/)).toBe(1);
    const oldest = await cli("relayers list --fields id,oldest", fleet(FLEET));
    expect([requested(oldest, /\/status$/), requested(oldest, /transactions/)]).toEqual([0, 9]);
  });

  test("ask only a relayer with pending transactions for the oldest one", async () => {
    const ran = await cli("relayers list --fields id,pending,oldest", fleet(FLEET));
    expect(requested(ran, /\/r2\/transactions/)).toBe(0);
  });

  test("are empty and reported if they cannot be read", async () => {
    const ran = await cli("relayers list --fields id,pending", fleet({ r1: {}, r2: { pending: 1 } }));
    expect(ran).toMatchObject({ exitCode: 0, stdout: "r1\t\nr2\t1\n" });
    expect(ran.stderr).toBe("note: status of r1 not known: no node\n");
  });

  test("are found on the last page of many", async () => {
    const submitted = Array.from({ length: 250 }, (_, index) => index + 1);
    await ends({ stdout: "250\n" }, "relayers list --fields oldest", fleet({ r1: { pending: 250, submitted } }));
  });

  test("are found in a service that does not filter by status", async () => {
    const ran = await cli("relayers list --fields id,oldest", fleet({ r1: { submitted: [60, 120] } }, true));
    expect(ran.stdout).toBe("r1\t120\n");
    expect(requested(ran, /transactions/)).toBe(1);
  });
});

describe("the oldest pending transaction in relayers status", () => {
  const FLEET = { r1: { pending: 2, submitted: [60, 7_300] }, r2: { pending: 0 } };

  test("is shown on a terminal, and read of relayers with pending transactions", async () => {
    const ran = await cli("relayers status", { ...fleet(FLEET), terminal: true, columns: 80 });
    expect(ran.stdout.replaceAll(/\u001b\[\d+m/g, "")).toMatch(/^. r1 .* 2 +2h\b/m);
    expect(requested(ran, /transactions/)).toBe(3);
  });

  test("is not read for data, unless it is named", async () => {
    expect(requested(await cli("relayers status -o json", fleet(FLEET)), /transactions/)).toBe(0);
    await ends({ stdout: "r1\t7300\n" }, "relayers status --where oldest>1h --fields relayer.id,oldest", fleet(FLEET));
  });

  test("cannot be named together with --brief", () =>
    ends({ exitCode: 2, requests: [] }, "relayers status --brief --sort oldest", fleet(FLEET)));
});

const EVERY = "relayers pause --where network=mainnet";
const LINE = "relayers of 2 kinds: 2 evm (mainnet), 1 stellar (mainnet)";

describe("a selection with relayers of two network types", () => {
  test("has a note in the question and the type of each relayer", async () => {
    const ran = await ends({ exitCode: 3, writes: [] }, EVERY, { terminal: true, answers: ["n"] });
    expect(ran.questions).toEqual([
      expect.stringMatching(/^\w+ \d+ relayers of different kinds \(evm and stellar\) in \S+\?$/),
    ]);
    expect(ran.stderr).toContain("\nrelayers of 2 kinds: 1 evm (mainnet), 1 stellar (mainnet)\n  evm: eth-main-1\n");
    expect(ran.stderr).toContain("\n  stellar: xlm-treasury\n");
    expect(ran.stderr).toContain("\nskipped: 1 of 3 relayers is already paused\n");
  });

  test.each([`${EVERY} --yes`, `${EVERY} --dry-run`])("has a note in a script: %s", async (line) => {
    expect((await cli(line)).stderr).toContain(`note: ${LINE}\n`);
  });

  test("from --all has a note with some networks of each type", async () => {
    const { stderr } = await cli("relayers pause --all --yes");
    expect(stderr).toContain(
      "note: relayers of 3 kinds: 5 evm (base, mainnet, sepolia, and 1 more), 1 solana (mainnet-beta), 2 stellar (testnet, mainnet)",
    );
  });

  test("of one network type has no note", async () => {
    const { stderr } = await cli("relayers pause --where network=mainnet --where network_type=evm --yes");
    expect(stderr).not.toContain("kinds");
    const asked = await cli("relayers pause eth-main-1 eth-main-2", { terminal: true, answers: ["n"] });
    expect(asked.questions).toEqual([expect.stringMatching(/^\w+ \d+ relayers? in .+\?$/)]);
  });
});

describe("the table of relayers shows the network type if two networks share a name", () => {
  const networks = ({ stdout }: { stdout: string }) =>
    stdout
      .replaceAll(/\u001b\[\d+m/g, "")
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^[ ●‖✗] /, "").split(/ {2,}/)[2]);

  test.each([true, false])("for those networks only; on a terminal: %s", async (terminal) => {
    const ran = await cli("relayers list -o table", { terminal, columns: 300 });
    expect(networks(ran)).toEqual([
      "NETWORK",
      "base",
      "mainnet (evm)",
      "mainnet (evm)",
      "sepolia",
      "polygon",
      "mainnet-beta",
      "testnet",
      "mainnet (stellar)",
    ]);
  });

  test("but not if only one of them is listed", async () => {
    const ran = await cli("relayers list -o table --where network_type=evm", { columns: 300 });
    expect(networks(ran)).toEqual(["NETWORK", "base", "mainnet", "mainnet", "sepolia", "polygon"]);
  });

  test.each(["tsv", "csv"])("but not in -o %s", async (format) => {
    const { stdout } = await cli(`relayers list -o ${format} --fields id,network`);
    expect(stdout).not.toContain("(");
  });
});

test.each([
  ['"evm"', "evm"],
  ['""', ""],
  ["null", ""],
  ["5", "5"],
  ["{}", "{}"],
  ['{"a":[]}', '{"a":[]}'],
])("shows networks of the kind %s as different ones", (kind, word) => {
  const relayer = parseJson(`{"id":"r1","network":"base","network_type":${kind}}`) as Relayer;
  const network = relayerView.table.find(({ header }) => header === "network");
  expect(network?.apart?.(relayer)).toBe(word);
});

describe("relayers balance", () => {
  test.each([
    [
      "balance",
      "10000 ETH (10000000000000000000000)",
      '{\n  "balance": 10000000000000000000000,\n  "unit": "wei"\n}\n',
    ],
    ["stellar balance", "50000 XLM (500000000000)", '{\n  "balance": 500000000000,\n  "unit": "stroop"\n}\n'],
    ["solana balance", "50 SOL (50000000000)", '{\n  "balance": 50000000000,\n  "unit": "lamport"\n}\n'],
  ])("recorded: %s is %s on a terminal, and has every digit in JSON", async (name, shown, json) => {
    const relayer = { id: "r1", network: "localhost-anvil", network_type: "evm" };
    const service = async ({ target }: WireRequest) =>
      target.endsWith("/balance") ? replyOf(recordedAs(name)) : reply(200, writeJson({ success: true, data: relayer }));
    await ends({ stdout: `balance    ${shown}\n` }, "relayers balance r1 --color never", { terminal: true, service });
    expect((await cli("relayers balance r1 -o json", { service })).stdout).toBe(json);
  });

  test("of one relayer is the service's data, and its name is the relayer's ID", async () => {
    expect((await cli("relayers balance polygon-bulk")).stdout).toBe("balance\t30000000000000000000\nunit\twei\n");
    expect((await cli("relayers balance polygon-bulk -o tsv")).stdout).toBe("30000000000000000000\twei\n");
    expect((await cli("relayers balance polygon-bulk -o name")).stdout).toBe("polygon-bulk\n");
    expect((await cli("relayers balance polygon-bulk -o raw")).stdout).toContain('"balance":30000000000000000000');
  });

  test("of several relayers has each relayer's ID, in the order of the arguments", async () => {
    const ran = await cli("relayers balance sol-pay polygon-bulk xlm-treasury");
    expect(ran.stdout).toBe(
      "sol-pay\t30000000\tlamport\npolygon-bulk\t30000000000000000000\twei\nxlm-treasury\t3000000000\tstroop\n",
    );
    expect(JSON.parse((await cli("relayers balance sol-pay xlm-treasury -o json")).stdout)).toEqual([
      { relayer_id: "sol-pay", balance: 30000000, unit: "lamport" },
      { relayer_id: "xlm-treasury", balance: 3000000000, unit: "stroop" },
    ]);
  });

  test("reads IDs from stdin", async () => {
    expect((await cli("relayers balance - -o name", { stdin: "sol-pay\nbase-hot\n" })).stdout).toBe(
      "sol-pay\nbase-hot\n",
    );
    expect(await cli("relayers balance -", { stdin: "\n" })).toMatchObject({ exitCode: 2, requests: [] });
  });

  test("shows the other balances if one cannot be read, and exits as partial with nothing applied", async () => {
    const ran = await exits(12, "relayers balance sol-pay nothing -o ndjson");
    expect(ran.stdout).toBe('{"relayer_id":"sol-pay","balance":30000000,"unit":"lamport"}\n');
    expect(printedError(ran.stderr)).toMatchObject({
      code: "partial",
      applied: "no",
      message: "1 of 2 relayers failed; nothing: Relayer with ID nothing not found",
    });
  });

  test("exits with 9 if a node fails, with its URL masked", async () => {
    const words = "Transport error: error sending request for url (http://127.0.0.1:1/secret)";
    const service = async () => reply(500, `{"success":false,"data":null,"error":"${words}"}`);
    const ran = await exits(9, "relayers balance r1 --retries 0", { service });
    expect(ran.stderr).not.toContain("secret");
  });

  test("shows a balance in another format or unit unchanged", async () => {
    const service = async () => reply(200, '{"success":true,"data":{"balance":"12","unit":"drop"},"error":null}');
    await ends({ stdout: "balance    12 drop\n" }, "relayers balance r1 --color never", { terminal: true, service });
  });

  test.each([
    ["relayers balance a b -o raw", "raw is the response to one request"],
    ["relayers balance a --fields relayer_id", "relayer_id is only available for several relayers"],
    ["relayers balance a/b", "contains a slash"],
  ])("%s is rejected before any request", (line, words) => says({ exitCode: 2, requests: [] }, line, words));

  test("--curl prints a command for each relayer", async () => {
    const ran = await ends({ requests: [] }, "relayers balance a b --curl");
    expect(ran.stdout.match(/^curl -X GET/gm)).toHaveLength(2);
  });
});
