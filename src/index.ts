import { type Client, createClient as createLinkedClient } from "./client/client.ts";
import type { ClientEvent } from "./client/link.ts";
import { createPace } from "./client/pace.ts";
import { createNetwork } from "./client/transport.ts";
import { parseServer } from "./config/origin.ts";
import { clock, random, v8 } from "./system.ts";

export type { Answer } from "./client/answer.ts";
export type { Client } from "./client/client.ts";
export type { ClientEvent } from "./client/link.ts";
export type { PluginAnswer, PluginCall } from "./client/plugin-call.ts";
export type { ListBounds, ListPage } from "./client/walk.ts";
export { formatAmount, parseAmount } from "./contract/amount.ts";
export { type JsonObject, type JsonValue, NumberLiteral, parseJson, writeJson } from "./contract/json.ts";
export type { Network } from "./contract/network.ts";
export type { CreateNotificationRequest, Notification, UpdateNotificationRequest } from "./contract/notification.ts";
export type { Plugin } from "./contract/plugin.ts";
export type { Relayer, RpcConfig, UpdateRelayerRequest } from "./contract/relayer.ts";
export type { EvmReplacement, Replacement, SolanaReplacement, StellarReplacement } from "./contract/replacement.ts";
export type { Signer } from "./contract/signer.ts";
export type { Transaction } from "./contract/transaction.ts";
export { type Applied, EXIT_CODES, type Failure, RelayctlError } from "./errors.ts";

/** How a program reaches a relayer service. */
export interface ClientOptions {
  /** `https://relayer.example.org`; a trailing `/api/v1` is taken off. */
  server: string;
  token: string;
  /** Milliseconds for one attempt; 30,000 when absent. */
  timeout?: number;
  /** Extra attempts after failures that are known not to have changed anything; 2 when absent. */
  retries?: number;
  /** PEM certificates to trust besides the usual ones. */
  caCertificates?: readonly string[];
  proxy?: string;
  /** Ends what is under way; a write that has left is then unknown. */
  signal?: AbortSignal;
  /** Told what happens: attempts, replies, retries, notes. */
  onEvent?: (event: ClientEvent) => void;
}

/**
 * A client for a relayer service, with the rules of the command line: integers stay exact (a `bigint` above 2^53), writes
 * are never sent again once their answer could have been lost, and a RelayctlError says whether one was applied.
 */
export function createClient(options: ClientOptions): Client {
  const { caCertificates = [], timeout = 30_000, retries = 2, signal = new AbortController().signal } = options;
  const origin = parseServer(options.server);
  return createLinkedClient({
    exchange: createNetwork({ origin, caCertificates, ...(options.proxy !== undefined && { proxy: options.proxy }) }),
    token: options.token,
    clock,
    random,
    pace: createPace(clock),
    timeout,
    retries,
    heapLimit: v8.heapLimit,
    interrupt: signal,
    abandon: signal,
    report: options.onEvent ?? (() => {}),
  });
}
