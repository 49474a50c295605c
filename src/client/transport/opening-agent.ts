import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { NetworkOptions } from "../network-options.ts";
import { openSocket } from "./open-socket.ts";
import { KEEP_ALIVE } from "./strict.ts";

/** What the agent is asked for. Node hands its own `signal` to no agent. */
export interface OpeningRequest extends ClientRequestArgs {
  /** Ends the opening of a connection. */
  leave: AbortSignal;
  /** Empty: TLS is opened below the agent, which would search the host for an address to find a name, at a tenth of a start of Node. */
  servername: "";
}

/** Gives a request its connection once that is open: a request without one has not left. */
export function createOpeningAgent(options: NetworkOptions, { keepAlive }: { keepAlive: boolean }): Agent {
  return Object.assign(new Agent({ keepAlive, timeout: KEEP_ALIVE }), {
    createConnection({ leave }: OpeningRequest, done: (error: Error | null, socket?: Duplex) => void): void {
      openSocket(options, leave).then((socket) => done(null, socket), done);
    },
  });
}
