import type { Clock } from "../../../src/client/clock.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { reply } from "./reply.ts";
import { testServer } from "./test-server.ts";

export interface BalancerOptions {
  clock: Clock;
  /** Which half gets the first request. */
  first?: 0 | 1;
  /** Milliseconds after which the second half shows a write. */
  lag?: number;
  /** The routes that the second half lacks. */
  lacks?: RegExp;
  /** The members that the second half does not show. */
  hides?: readonly string[];
  /** Replaces what the second half responds to a request. */
  second?: (request: WireRequest) => WireReply | undefined;
}

export interface Balancer {
  service: Transport;
  /** Each request that came, with its half. */
  received: readonly { half: 0 | 1; method: string; target: string }[];
}

const NODE_READS = /"method":"(?:eth_(?!send)\w+|debug_traceCall|net_\w+|web3_\w+)"/;

/** Opens two instances of a service with one address, each of which gets every other request. */
export function openBalancer({ clock, first = 0, lag = 0, lacks, hides = [], second }: BalancerOptions): Balancer {
  let replayed: number | undefined;
  const halves = [testServer({ clock }), testServer({ clock, now: () => replayed ?? clock.now() })] as const;
  const late: { due: number; request: WireRequest }[] = [];
  const received: { half: 0 | 1; method: string; target: string }[] = [];
  let turn = first;
  const catchUp = async () => {
    while (late[0] && late[0].due <= clock.now()) {
      const { due, request } = late.shift() as (typeof late)[number];
      replayed = due - lag;
      await halves[1](request);
      replayed = undefined;
    }
  };
  const ownAnswer = (request: WireRequest) =>
    second?.(request) ?? (lacks?.test(`${request.method} ${request.target}`) ? reply(404) : undefined);
  /** Both halves write to one store, of which the second one reads a copy that lags. */
  const write = async (request: WireRequest) => {
    const isRead = request.target.endsWith("/rpc") && NODE_READS.test(request.body ?? "");
    const answered = await halves[0](request);
    if (!isRead) late.push({ due: clock.now() + lag, request });
    return answered;
  };
  const service: Transport = async (request) => {
    const half = turn;
    turn = half === 0 ? 1 : 0;
    const { method, target } = request;
    received.push({ half, method, target });
    const own = half === 1 ? ownAnswer(request) : undefined;
    if (own) return own;
    await catchUp();
    const answered = await (method === "GET" ? halves[half](request) : write(request));
    return half === 0 ? answered : withoutMembers(answered, hides);
  };
  return { service, received };
}

function withoutMembers(found: WireReply, hides: readonly string[]): WireReply {
  if (hides.length === 0 || found.body.length === 0) return found;
  const text = new TextDecoder().decode(found.body);
  const members = new RegExp(`"(?:${hides.join("|")})":(?:"[^"]*"|[^,{}\\[\\]]+),`, "g");
  return { ...found, body: new TextEncoder().encode(text.replace(members, "")) };
}
