import type { ReceivedRequest } from "../../src/contract/webhook/receiver.ts";
import { type ReceiveOptions, receiveRequests } from "../../src/embedded-server/receive.ts";
import { clock, ends } from "./listening.ts";

const MIB = 2 ** 20;

/** A receiver on a port of the system's choice, and all that it saw. */
export async function receiving(options: Partial<ReceiveOptions> = {}) {
  const interrupt = new AbortController();
  const requests: ReceivedRequest[] = [];
  const lost: string[] = [];
  let done: Promise<void> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    done = receiveRequests({
      port: 0,
      clock,
      interrupt: interrupt.signal,
      maxBytes: MIB,
      maxHeld: 4 * MIB,
      refuse: ({ method }) => (method === "POST" ? undefined : { status: 405, headers: { allow: "POST" }, text: "" }),
      respond: async (request) => {
        requests.push(request);
        return { status: 204, headers: {}, text: "" };
      },
      lost: (why) => void lost.push(why),
      listening: async (found) => resolve(found),
      ...options,
    });
    done.catch(reject);
  });
  ends.push(() => {
    interrupt.abort();
    return done.catch(() => undefined);
  });
  return { port, done, interrupt, requests, lost };
}
