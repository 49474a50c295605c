import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends } from "../../helpers/cli.ts";
import { pageReply, refusal, success, wholeList } from "../../helpers/service/reply.ts";

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
