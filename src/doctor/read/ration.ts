import { type ChainNode, LATE, type NodeFault, nodeWithAsk } from "../../chain/node/node.ts";
import type { Client } from "../../client/client.ts";
import { TransportFailure } from "../../client/transport/transport.ts";
import { isJsonRpcError } from "../../contract/json-rpc.ts";
import { RelayctlError, rescueUnlessInterrupted } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { DOCTOR_TIMEOUT } from "../../timing.ts";
import type { Fact, Missing } from "../facts.ts";

const MOST = 8;

/** The result of a request: its value, its failure, or why it was not sent. */
export type Rationed<T> = { value: T } | { failure: RelayctlError } | { skipped: string; by?: RelayctlError };

export type Ration = ReturnType<typeof createDoctorRation>;

export interface Rationing {
  session: Pick<Session, "briefly" | "remaining">;
  limited(): void;
}

export const SPENT = `${MOST} requests were not enough`;
const LIMITED = "the service limits the rate of requests";

export function createDoctorRation({ session, limited }: Rationing, most = MOST) {
  const client = session.briefly(DOCTOR_TIMEOUT, { isPatient: true });
  let left = most;
  const isLate = () => session.remaining !== undefined && session.remaining() <= 0;
  const refusal = () => {
    if (isLate()) return LATE;
    return left <= 0 ? SPENT : undefined;
  };

  async function ask<T>(send: (client: Client) => Promise<T>, isSecond = false): Promise<Rationed<T>> {
    const skipped = refusal();
    if (skipped !== undefined) return { skipped };
    left--;
    const asked = await settleRequest(send(client));
    if ("value" in asked || asked.failure.failure !== "rate_limited")
      return "failure" in asked && isLate() ? { skipped: LATE, by: asked.failure } : asked;
    limited();
    return isSecond || left <= 0 ? { skipped: LIMITED, by: asked.failure } : await ask(send, true);
  }

  return {
    /** Sends one request, and retries once after a rate limit. */
    ask: <T>(send: (client: Client) => Promise<T>) => ask(send),
    node(open: (client: Client) => ChainNode): ChainNode {
      const node = open(client);
      return nodeWithAsk(node, async (method, params) => {
        const skipped = refusal();
        if (skipped !== undefined) return { fault: { kind: "exhausted", words: skipped } };
        left--;
        const reading = await node.ask(method, params);
        if ("fault" in reading && isLimitByService(reading.fault)) limited();
        return reading;
      });
    },
  };
}

async function settleRequest<T>(sent: Promise<T>): Promise<{ value: T } | { failure: RelayctlError }> {
  const found = sent.then((value) => ({ value }));
  return await rescueUnlessInterrupted(found, (failure) => ({ failure }));
}

/** Returns whether these are the words for an unsent request: conclusions from it would be guesses. */
export function isRationRefusal(words: string): boolean {
  return words === SPENT || words === LATE;
}

/** Returns why a value is missing: the words of a failure, or why the request was not sent. */
export function whyRationMissing(asked: { failure: RelayctlError } | { skipped: string }): string {
  return "skipped" in asked ? asked.skipped : asked.failure.message;
}

export function rationedFact<T>(asked: Rationed<T>): Fact<T> {
  return "value" in asked ? asked : missingRationedFact(asked);
}

export function missingRationedFact(asked: Exclude<Rationed<unknown>, { value: unknown }>): Missing {
  const skipped = whyRationMissing(asked);
  const late = skipped === LATE ? new RelayctlError("network", LATE) : undefined;
  const failure = ("failure" in asked ? asked.failure : asked.by) ?? late;
  return { skipped, ...(failure && { failure }) };
}

/** The service's words for a node that it could not ask (facts 13.10); other failures have different words. */
const OF_NODE = /transport error|sending request|\brpc\b|\bprovider\b|https?:\/\//i;

/** Detects a silent node, for which the service may wait. Other failures say nothing about the node. */
export function isRationNodeFailure({ failure, message, http, cause }: RelayctlError): boolean {
  if (failure === "network") return cause instanceof TransportFailure && cause.reason === "timeout";
  return failure === "server" && (http?.status ?? 0) >= 500 && OF_NODE.test(message);
}

/** Returns the same for a node, asked directly or through the service. */
export function isRationNodeFault({ cause }: NodeFault): boolean {
  return !(cause instanceof RelayctlError) || isJsonRpcError(cause.cause) || isRationNodeFailure(cause);
}

function isLimitByService({ kind, cause }: NodeFault): boolean {
  return kind === "limited" && cause instanceof RelayctlError && !isJsonRpcError(cause.cause);
}
