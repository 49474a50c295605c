import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import type { ServedLine } from "../../src/contract/serving.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { failureReply } from "../../src/embedded-server/reply.ts";
import { type ListenOptions, listenOn } from "../../src/embedded-server/serve.ts";
import type { ServerClock } from "../../src/embedded-server/world.ts";

export const clock: ServerClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) => after(milliseconds, undefined, signal && { signal }).catch(() => undefined),
};
export const hello = { status: 200, headers: { "x-relayctl-demo": "1" }, text: "hello" };

export const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** A server on a port of the system's choice, and all that it saw. */
export async function started(options: Partial<ListenOptions> = {}) {
  const interrupt = new AbortController();
  const requests: WireRequest[] = [];
  const lines: ServedLine[] = [];
  let done: Promise<void> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    done = listenOn({
      port: 0,
      clock,
      interrupt: interrupt.signal,
      refuse: failureReply,
      admits: () => true,
      respond: async (asked) => {
        requests.push(asked);
        return hello;
      },
      listening: async (found) => resolve(found),
      served: async (line) => {
        lines.push(line);
      },
      ...options,
    });
    done.catch(reject);
  });
  ends.push(() => {
    interrupt.abort();
    return done.catch(() => undefined);
  });
  return { port, done, interrupt, requests, lines };
}

/** A connection that has sent this text and waits. */
export function connected(port: number, text: string, host = "127.0.0.1"): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.write(text, () => resolve(socket));
    });
    socket.on("error", reject);
    ends.push(async () => socket.destroy());
  });
}

export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on("close", () => resolve());
    socket.resume();
  });
}
