import { sampled } from "../helpers/deep.ts";
import { TIMEOUT } from "../helpers/time-up.ts";
import { type FaultServer, openFaultServer } from "./server/fault-server.ts";
import { realDialect } from "./server/service/dialect.ts";
import { createService } from "./server/service/service.ts";
import { atOnce } from "./table/at-once.ts";
import type { Fault } from "./table/fault.ts";
import { fine } from "./table/faults/fine.ts";
import { lost } from "./table/faults/lost.ts";
import { refused } from "./table/faults/refused.ts";
import { unreadable } from "./table/faults/unreadable.ts";
import { type Ended, runHere } from "./world.ts";

const STATUS = { method: "GET", path: "/api/v1/relayers/evm-1/status" };

/** `relayers status` with this happening to the status route of one relayer. */
async function statusWith({ steps }: Fault): Promise<Ended & Pick<FaultServer, "arrived">> {
  const service = createService({ dialect: realDialect, routes: true });
  const server = await openFaultServer({ service, scripts: [{ match: STATUS, steps }] });
  const argv = ["relayers", "status", "-o", "json", "--timeout", TIMEOUT];
  try {
    const ended = await runHere(argv, { origin: server.origin, timeUp: timeOfTheLast(server) });
    return { ...ended, arrived: server.arrived };
  } finally {
    await server.close();
  }
}

/** Once the server is stalled, the time is up of the request that is left when all others have ended. */
function timeOfTheLast(server: FaultServer): (signal?: AbortSignal) => Promise<void> {
  const pending = new Set<() => void>();
  let isStalled = false;
  const check = () => {
    if (isStalled && pending.size === 1) for (const wake of pending) wake();
  };
  void server.stalled().then(() => {
    isStalled = true;
    check();
  });
  return (signal) =>
    new Promise((resolve) => {
      pending.add(resolve);
      signal?.addEventListener("abort", () => {
        pending.delete(resolve);
        resolve();
        check();
      });
    });
}

/** A status has no id, and the connection is the list's. */
function happening(rows: readonly Fault[]): Fault[] {
  return rows.filter(({ name, only, onAccept }) => only !== "writes" && !onAccept && !name.includes("without an id"));
}

test("after a fault, the status of one relayer is null with a note, all other relayers are shown, and the exit code is 12", async () => {
  const problems: string[] = [];
  await atOnce(12, sampled(happening([fine, lost, unreadable, refused].flat()), 4), async (fault) => {
    const { exitCode, stdout, stderr, arrived } = await statusWith(fault);
    const isExpected = exitCode === (fault.row === "fine" ? 0 : 12);
    const all: { relayer: { id: string }; status: object | null }[] = isExpected ? JSON.parse(stdout) : [];
    const evm1 = all.find(({ relayer }) => relayer.id === "evm-1");
    const isTold = fault.row === "fine" ? evm1?.status !== null : evm1?.status === null && stderr.includes("not");
    const asked = arrived.filter(({ target }) => target.endsWith("/evm-1/status")).length;
    // Another instance of the service may have a route that this one lacks.
    const isBounded = asked === 1 || (asked === 2 && /^40[45]/.test(fault.name));
    if (all.length !== 5 || !isTold || !isBounded)
      problems.push(`${fault.name}: exit ${exitCode}, ${stdout.slice(0, 300)}${stderr}`);
  });
  expect(problems).toEqual([]);
});
