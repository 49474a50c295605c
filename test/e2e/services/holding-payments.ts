import type { WireRequest } from "../../../src/contract/wire.ts";
import { interfaceDialect } from "../../../src/embedded-server/dialect.ts";
import { listenOn } from "../../../src/embedded-server/serve.ts";
import { serverOver } from "../../../src/embedded-server/server.ts";
import { movingStore } from "../../../src/embedded-server/state/store.ts";
import { clock, random } from "../../../src/system.ts";
import { CANARY_TOKEN } from "../../helpers/scan.ts";
import { demoStore } from "../../helpers/seed-state.ts";

/** The embedded server with the seed `demo`, which can hold its responses to payments. */
export interface HoldingPayments {
  env: { RELAYCTL_SERVER: string; RELAYCTL_TOKEN: string };
  /** The receivers of all payments that were applied, in their order. */
  paid: readonly string[];
  /** Applies so many payments from now on, and holds the responses to all later ones, which are applied too. */
  holdAfter(count: number): void;
  /** Resolves once so many responses are held. */
  holds(count: number): Promise<void>;
  release(): void;
}

export async function holdingPayments(): Promise<HoldingPayments> {
  const interrupt = new AbortController();
  const store = movingStore(demoStore(), () => clock.now());
  const server = serverOver({ token: CANARY_TOKEN, store, clock, random });
  const paid: string[] = [];
  let left = Number.POSITIVE_INFINITY;
  let held: (() => void)[] = [];
  let watch = () => {};

  const respond = async (request: WireRequest) => {
    const reply = await server(request);
    const { data } = request.method === "POST" ? JSON.parse(reply.text) : { data: undefined };
    if (!/\/transactions$/.test(request.target) || request.method !== "POST") return reply;
    paid.push(data.to);
    if (left-- > 0) return reply;
    await new Promise<void>((resolve) => {
      held.push(resolve);
      watch();
    });
    return reply;
  };

  const release = () => {
    left = Number.POSITIVE_INFINITY;
    for (const each of held) each();
    held = [];
  };
  let served: Promise<void> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    served = listenOn({
      ...{ port: 0, respond, clock, interrupt: interrupt.signal },
      admits: () => true,
      refuse: (refusal) => interfaceDialect.refuse(refusal, {}),
      listening: async (found) => resolve(found),
      served: async () => {},
    });
    served.catch(reject);
  });
  onTestFinished(async () => {
    release();
    interrupt.abort("the test has ended");
    await served;
  });
  return {
    env: { RELAYCTL_SERVER: `http://127.0.0.1:${port}`, RELAYCTL_TOKEN: CANARY_TOKEN },
    paid,
    holdAfter: (count) => {
      left = count;
    },
    holds: (count) =>
      new Promise((resolve) => {
        watch = () => held.length >= count && resolve();
        watch();
      }),
    release,
  };
}
