import type { Transport } from "../../src/client/transport/transport.ts";
import { testServer } from "./service/test-server.ts";

export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

/** What a token, or the node that is asked for it, returns; null is an error of the node. By default it is USDC. */
export interface TokenAnswers {
  decimals?(asked: Asked): string | null;
  symbol?(asked: Asked): string | null;
  balanceOf?(asked: Asked): string | null;
  chain?(): string;
  status?: number;
}

interface Asked {
  to: string;
  /** The account of a balance, in lowercase. */
  account: string;
  /** The relayer whose node is asked; empty for a separate node. */
  relayer: string;
}

export function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

export function symbolText(text: string): string {
  const bytes = Buffer.from(text);
  const padded = bytes.toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0");
  return `${word(32n)}${word(BigInt(bytes.length)).slice(2)}${padded}`;
}

/** The embedded server with other tokens; the same function is a node. */
export function tokenService(answers: TokenAnswers): Transport {
  let embedded: ReturnType<typeof testServer> | undefined;
  return async (request) => {
    if (answers.status !== undefined) return { status: answers.status, headers: {}, body: new Uint8Array() };
    const call = request.body === undefined ? {} : JSON.parse(request.body);
    const result = resultOf(call, answers, /relayers\/([^/]+)\/rpc$/.exec(request.target)?.[1] ?? "");
    embedded ??= testServer();
    if (result === undefined) return await embedded(request);
    const error = { code: -32_000, message: "state is not available" };
    const reply = { jsonrpc: "2.0", id: call.id, ...(result === null ? { error } : { result }) };
    const body = new TextEncoder().encode(JSON.stringify(reply));
    return { status: 200, headers: { "content-type": "application/json" }, body };
  };
}

function resultOf(
  { method, params }: { method?: string; params?: [{ to: string; data: string }] },
  answers: TokenAnswers,
  relayer: string,
) {
  if (method === "eth_chainId") return answers.chain?.();
  const [{ to, data } = { to: "", data: "" }] = method === "eth_call" ? (params ?? []) : [];
  const asked = { to, account: `0x${data.slice(-40)}`, relayer };
  const usual: Record<string, () => string | null | undefined> = {
    "0x313ce567": () => (answers.decimals ?? (() => word(6n)))(asked),
    "0x95d89b41": () => (answers.symbol ?? (() => symbolText("USDC")))(asked),
    "0x70a08231": () => (answers.balanceOf ?? (() => word(2_500_000n)))(asked),
  };
  return usual[data.slice(0, 10)]?.();
}
