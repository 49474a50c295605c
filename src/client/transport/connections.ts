import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { NetworkOptions } from "../network-options.ts";
import { openSocket } from "./open-socket.ts";
import { KEEP_ALIVE } from "./strict.ts";
import type { Wire } from "./wire.ts";

/** What the agent is asked for. Node hands its own `signal` to no agent. */
export interface OpeningRequest extends ClientRequestArgs {
  /** Ends the opening of a connection. */
  leave: AbortSignal;
  /** Empty: TLS is opened below the agent, which would search the host for an address to find a name, at a tenth of a start of Node. */
  servername: "";
}

/** Where requests get their connections. A request has none until it is open: until then nothing of it has left. */
export interface Connections {
  /** What `node:http` is told about them. */
  source: Pick<ClientRequestArgs, "agent" | "createConnection">;
  /** The bytes of a connection that a request was given. */
  wireOf(socket: Duplex): Wire | undefined;
}

/** Connections that are kept for further requests. */
export function keptConnections(options: NetworkOptions): Connections {
  const wires = new WeakMap<Duplex, Wire>();
  const agent = Object.assign(new Agent({ keepAlive: true, timeout: KEEP_ALIVE }), {
    createConnection({ leave }: OpeningRequest, done: (error: Error | null, socket?: Duplex) => void): void {
      openSocket(options, leave, false).then(({ socket, wire }) => {
        wires.set(socket, wire);
        done(null, socket);
      }, done);
    },
  });
  return { source: { agent }, wireOf: (socket) => wires.get(socket) };
}

/**
 * A connection for one request, which may be a write. It has no agent, which would close it, or take it over, as soon as the response has
 * come, while the service may still send what it owes.
 */
export function ownConnection(
  options: NetworkOptions,
  leave: AbortSignal,
  fail: (error: unknown) => void,
): Connections {
  let own: Wire | undefined;
  return {
    source: {
      createConnection(_, done) {
        openSocket(options, leave, true).then(({ socket, wire }) => {
          own = wire;
          done(null, socket);
        }, fail);
        return undefined;
      },
    },
    wireOf: () => own,
  };
}
