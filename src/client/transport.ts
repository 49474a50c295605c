import { rootCertificates } from "node:tls";
import { Client, type Dispatcher, Pool, ProxyAgent } from "undici";
import type { WireReply, WireRequest } from "../contract/wire.ts";
import type { AttemptLimits, Exchange } from "./exchange.ts";
import type { NetworkOptions } from "./network-options.ts";
import { ReplyCollector } from "./reply-collector.ts";
import { transportFailure } from "./transport-failure.ts";

/** How long an idle connection may be used again. The service closes after 55 s; the shorter, the fewer stale sockets. */
const KEEP_ALIVE = 1_000;

/**
 * The way to a real service, over undici's dispatchers alone: nothing retries or redirects, and no limit of undici's is
 * relied upon, since none of them is a deadline. The signal of an attempt destroys what hangs.
 */
export function createNetwork(options: NetworkOptions): Exchange {
  let shared: Dispatcher | undefined;
  return async (request, limits) => {
    if (limits.reuse) shared ??= openConnection(options);
    const dispatcher = limits.reuse && shared ? shared : openConnection(options);
    try {
      return await dispatchOnce(dispatcher, options, request, limits);
    } finally {
      if (!limits.reuse) void dispatcher.destroy().catch(() => {});
      else if (limits.signal.aborted && dispatcher === shared) shared = undefined;
    }
  };
}

/** One connection at a time: a read waits for the one before it, and so finds its connection open. */
function openConnection(options: NetworkOptions): Dispatcher {
  return options.proxy ? proxied(options) : new Client(options.origin, clientOptions(options));
}

function proxied(options: NetworkOptions): Dispatcher {
  const { connect, ...limits } = clientOptions(options);
  return new ProxyAgent({
    ...limits,
    uri: options.proxy ?? "",
    proxyTunnel: true,
    requestTls: connect,
    proxyTls: connect,
    connections: 1,
    clientFactory: openProxy,
  });
}

/** When a proxy closes without an answer, undici asks it again at once and without end, unless the error has another code. */
function openProxy(origin: URL, options: object): Dispatcher {
  const proxy = new Pool(origin, options);
  const connect = proxy.connect.bind(proxy);
  const connectOnce = (asked: Dispatcher.ConnectOptions) =>
    connect(asked).catch((cause: unknown) => {
      throw new Error("no tunnel", { cause });
    });
  return Object.assign(proxy, { connect: connectOnce });
}

function clientOptions({ caCertificates }: NetworkOptions) {
  return {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE,
    keepAliveMaxTimeout: KEEP_ALIVE,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
    allowH2: false,
    connect: {
      timeout: 0,
      rejectUnauthorized: true,
      ...(caCertificates.length > 0 && { ca: [...rootCertificates, ...caCertificates] }),
    },
  };
}

function dispatchOnce(
  dispatcher: Dispatcher,
  options: NetworkOptions,
  request: WireRequest,
  limits: AttemptLimits,
): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const collector = new ReplyCollector(limits.maxBytes, (reply) => settle(() => resolve(reply)), fail);
    const leave = () => {
      fail(undefined);
      collector.abort(new Error("left"));
      void dispatcher.destroy().catch(() => {});
    };
    function settle(act: () => void): void {
      limits.signal.removeEventListener("abort", leave);
      act();
    }
    function fail(error: unknown): void {
      settle(() =>
        reject(
          transportFailure(error, { options, signal: limits.signal, sent: collector.sent, status: collector.status }),
        ),
      );
    }
    limits.signal.addEventListener("abort", leave);
    if (limits.signal.aborted) return fail(undefined);
    dispatcher.dispatch(
      {
        origin: options.origin,
        path: request.target,
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
        reset: !limits.reuse,
      },
      collector,
    );
  });
}
