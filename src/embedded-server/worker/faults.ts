import type { InjectedFailure } from "../../contract/serving.ts";
import type { ServerRandom } from "../world.ts";

/** They price and sign, send, and notice blocks. */
export type WorkerName = "prepare" | "submit" | "status";

/** Faults of workers and nodes: `--fail WORKER:NAME=dead`, `WORKER:submit=two-nonces`, and `NODE:METHOD=CODE`. */
export type Faults = NonNullable<ReturnType<typeof createFaults>>;

const SENDING = "eth_sendRawTransaction";

export function createFaults(failures: readonly InjectedFailure[], random: Pick<ServerRandom, "fraction">) {
  const workers = failures.filter(({ method }) => method === "WORKER");
  const node = failures.filter(({ method }) => method === "NODE");
  if (workers.length === 0 && node.length === 0) return undefined;
  const dead = workers.filter(({ status }) => status === "dead").map(({ path }) => path);
  const met = (method: string, isLost: boolean) =>
    node
      .filter(({ path, status }) => (path === "*" || path === method) && (status === "lost") === isLost)
      .find(({ rate }) => random.fraction() < rate);
  return {
    /** Returns whether a worker is dead: its records stay where they are (facts 16.4). */
    isDead: (worker: WorkerName) => dead.some((name) => name === "*" || name === worker),
    /** Whether the worker sends each new transaction a second time, with the next nonce (facts 15.9). */
    sendsTwice: workers.some(({ status }) => status === "two-nonces"),
    /** Returns the error code of a call to a node, if it fails (facts 15.5). */
    nodeCode(method: string) {
      const found = met(method, false)?.status;
      return typeof found === "number" ? found : undefined;
    },
    /** Returns whether the response is lost to a transaction that the node accepts (facts 16.4). */
    losesResponse: () => met(SENDING, true) !== undefined,
  };
}
