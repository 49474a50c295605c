import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { listen } from "../../helpers/service/listen.ts";
import type { Conversation } from "./conversation.ts";
import { createEvents } from "./events.ts";
import { type Head, incoming } from "./incoming.ts";
import type { Applied, Arrived } from "./ledger.ts";
import { perform } from "./perform.ts";
import type { Script, Step } from "./script.ts";
import type { Considered } from "./service/considered.ts";
import type { Service } from "./service/service.ts";
import { createStalls } from "./stalls.ts";

/** A service on real sockets that does to each request what a script says, and remembers what it really applied. */
export interface FaultServer {
  /** `http://127.0.0.1:40123` */
  origin: string;
  /** What was applied. Final once the server is closed. */
  ledger: readonly Applied[];
  /** Every request of which the head arrived, in order. */
  arrived: readonly Arrived[];
  connections(): number;
  /** Resolves when another request hangs and nothing else is done, or when the signal is aborted. */
  stalled(signal?: AbortSignal): Promise<void>;
  /** Lets what waits for the end happen, and closes everything. */
  close(): Promise<void>;
}

export interface FaultServerOptions {
  service: Service;
  scripts?: readonly Script[];
  tls?: { cert: string; key: string };
}

const HONEST: readonly Step[] = [{ do: "read", bytes: "all" }, { do: "answer" }];

export async function openFaultServer({ service, scripts = [], tls }: FaultServerOptions): Promise<FaultServer> {
  const ledger: Applied[] = [];
  const arrived: Arrived[] = [];
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const events = createEvents();
  const stalls = createStalls();
  let connections = 0;
  let origin = "";

  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    const talk = converse(socket, ++connections);
    running.add(talk);
    void talk.finally(() => running.delete(talk));
  };

  async function converse(socket: Socket, connection: number): Promise<void> {
    const bytes = incoming(socket);
    const onAccept = scripts.find((script) => "connection" in script && connection >= script.connection);
    if (onAccept && "greeting" in onAccept) socket.write(onAccept.greeting, "latin1");
    else if (onAccept) return await perform(onAccept.steps, conversationOf(socket, bytes, undefined, 0));
    for (let head = await bytes.head(); head; head = await bytes.head()) {
      const request = arrivedOf(head, connection);
      arrived.push(request);
      events.happened("asked again");
      await stalls.during(perform(stepsFor(request), conversationOf(socket, bytes, request, head.length)));
      if (!socket.writable) return;
      await bytes.next();
      if (request.headers.connection === "close") break;
    }
    socket.end();
  }

  function stepsFor(request: Arrived): readonly Step[] {
    const written = arrived.findIndex(({ applied }) => applied);
    for (const script of scripts) {
      if (!("match" in script) || (script.match.afterWrite && written < 0)) continue;
      const counted = script.match.afterWrite ? arrived.slice(written + 1) : arrived;
      if (matches(script.match, request, counted)) return script.steps;
    }
    return HONEST;
  }

  function conversationOf(
    socket: Socket,
    bytes: ReturnType<typeof incoming>,
    request: Arrived | undefined,
    length: number,
  ): Conversation {
    let considered: Considered | undefined;
    let applied = false;
    const consider = () => {
      if (request) request.body = bytes.body();
      considered ??= service.consider(request ?? NOTHING);
      return considered;
    };
    return {
      socket,
      incoming: bytes,
      length,
      ...(request && { request }),
      considered: consider,
      apply() {
        const { apply, id } = consider();
        if (!request || !apply || applied) return;
        applied = true;
        request.applied = true;
        apply();
        ledger.push({ operation: `${request.method} ${request.path}`, id, body: request.body, at: Date.now(), origin });
      },
      hang: stalls.hang,
      happens(what) {
        if (what === "asked here") return bytes.more();
        return stalls.hang(what === "gone" ? bytes.gone : events.next(what));
      },
    };
  }

  const server = tls ? createTlsServer(tls, accept) : createServer({ allowHalfOpen: true }, accept);
  const port = await listen(server as Server);
  origin = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
  return {
    origin,
    ledger,
    arrived,
    connections: () => connections,
    stalled: stalls.next,
    async close() {
      server.close();
      for (const what of ["asked again", "end"] as const) events.happened(what);
      for (const socket of sockets) socket.destroy();
      await Promise.all(running);
    },
  };
}

const NOTHING: Arrived = { method: "", target: "", path: "", headers: {}, body: "", connection: 0 };

function arrivedOf({ method, target, headers }: Head, connection: number): Arrived {
  return { method, target, path: target.split("?")[0] ?? "", headers, body: "", connection };
}

function matches(
  { method, path, nth }: { method?: string; path?: string; nth?: number },
  request: Arrived,
  all: readonly Arrived[],
): boolean {
  const fits = (other: Arrived) => (method ?? other.method) === other.method && (path ?? other.path) === other.path;
  return fits(request) && (nth === undefined || all.filter(fits).length === nth);
}
