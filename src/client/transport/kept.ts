import { awaitReply, type RequestInProgress, type Shared } from "./await-reply.ts";
import { type KeptConnection, keepConnection } from "./kept-connection.ts";
import { type PlainRequest, textOf } from "./plain-request.ts";
import type { Transport } from "./transport.ts";

/**
 * Creates a transport for reads, over connections that stay open for further reads. It needs no library: to load
 * `node:http` takes a third of Node's startup time.
 */
export function createKept(shared: Shared): Transport<PlainRequest> {
  const free: KeptConnection[] = [];
  const { host } = new URL(shared.options.origin);
  const take = async (signal: AbortSignal) => {
    for (let last = free.pop(); last; last = free.pop()) if (!last.wire.isClosed) return last;
    return keepConnection(await shared.openSocket(signal, { reusesMemory: true }));
  };
  return (request, limits) =>
    awaitReply(shared, limits, (events): RequestInProgress => {
      let connection: KeptConnection | undefined;
      let isLeft = false;
      take(limits.signal).then((taken) => {
        connection = taken;
        if (isLeft) taken.wire.end();
        else taken.send(textOf(request, host), events);
      }, events.failed);
      return {
        leave() {
          isLeft = true;
          connection?.wire.end();
        },
        settled: () => Promise.resolve(undefined),
        done() {
          if (connection?.rest()) free.push(connection);
        },
      };
    });
}
