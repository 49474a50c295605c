import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import { IDLE_CONNECTION } from "../../timing.ts";
import { openSocket } from "./open-socket.ts";
import type { NetworkOptions } from "./transport.ts";
import type { Wire } from "./wire.ts";

/** The options that the agent receives. Node does not pass its own `signal` to an agent. */
export interface OpeningRequest extends ClientRequestArgs {
  /** Ends the opening of a connection. */
  leave: AbortSignal;
  /**
   * Empty, since TLS is opened below the agent. Otherwise the agent would check whether the host is an address, which
   * takes a tenth of Node's startup time.
   */
  servername: "";
}

/**
 * Provides connections for requests. A request gets its connection only when it is open: until then nothing was sent.
 */
export interface Connections {
  /** The options for `node:http`. */
  source: Pick<ClientRequestArgs, "agent" | "createConnection">;
  /** Returns the wire of a request's connection. */
  wireOf(socket: Duplex): Wire | undefined;
}

/** Returns connections that are kept for further requests. */
export function keptConnections(options: NetworkOptions): Connections {
  const wireOfSocket = new WeakMap<Duplex, Wire>();
  const agent = Object.assign(new Agent({ keepAlive: true, timeout: IDLE_CONNECTION }), {
    createConnection({ leave }: OpeningRequest, done: (error: Error | null, socket?: Duplex) => void): void {
      openSocket(options, leave, false).then(({ socket, wire }) => {
        wireOfSocket.set(socket, wire);
        done(null, socket);
      }, done);
    },
  });
  return { source: { agent }, wireOf: (socket) => wireOfSocket.get(socket) };
}

/**
 * Returns a connection for one request, which may be a write. It has no agent: an agent would close or reuse it as soon
 * as the response arrives, while the service may still send more.
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
