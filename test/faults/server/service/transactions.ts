import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import type { Method } from "../../../../src/contract/wire.ts";
import { minedAs } from "./chain.ts";
import { answering, type Considered, saving } from "./considered.ts";
import type { Serving } from "./service.ts";
import { hashOf, MAX_U64, type State } from "./state.ts";

interface Asked {
  method: Method;
  path: string;
  /** Of the relayer. */
  id: string;
  /** Of the transaction, if any. */
  belowId: string;
  body: JsonObject;
}

export function considerTransaction(
  { method, path, id: relayer, belowId: id, body }: Asked,
  serving: Serving,
): Considered {
  const { state, dialect, routes } = serving;
  if (method === "POST" && id !== "") return answering(relayer, dialect.success(sponsored(path)));
  if (method === "GET" && !routes) return answering(id, dialect.noRoute);
  const before = state.transactions.get(id);
  if (!state.relayers.has(relayer) || (method !== "POST" && !before))
    return answering(id, dialect.failure(404, `${id} not found`));
  if (!before) return sendTransaction(relayer, body, serving);
  if (method === "GET") return answering(id, dialect.success(dialect.shown(before)));
  if (method === "DELETE") return cancelTransaction(id, before, serving);
  if (dialect.name === "real") return replaceAsTheRealOneDoes(id, before, body, serving);
  // Interface 4.3.
  const change = () => mining(state, replacement(before, body, ++state.replaced));
  return saving(state.transactions, id, change, dialect);
}

/** facts 3.4: stored and returned as pending, or by this service with the lowest speed as confirmed. The interface lacks this route. */
function sendTransaction(relayer: string, body: JsonObject, { state, dialect }: Serving): Considered {
  const id = `tx-sent-${state.transactions.size}`;
  const status = body.speed === "safeLow" ? "confirmed" : "pending";
  const created = () => ({
    ...replacement({ id, relayer_id: relayer, status }, body, 0),
    created_at: new Date().toISOString(),
  });
  return saving(state.transactions, id, created, dialect);
}

/** facts 5.4: Solana is rejected, Stellar stays unchanged, and explicit prices are ignored. */
function replaceAsTheRealOneDoes(
  id: string,
  before: JsonObject,
  body: JsonObject,
  { state, dialect }: Serving,
): Considered {
  if (id === "tx-sol") return answering(id, dialect.failure(400, "Endpoint is not supported for Solana relayers"));
  const shape = shapeProblem(body);
  if (shape) return answering(id, dialect.failure(400, shape));
  if (id === "tx-xlm") return answering(id, dialect.success(before));
  const { gas_price: _, max_fee_per_gas: __, max_priority_fee_per_gas: ___, ...rest } = body;
  const raised = { ...before, max_fee_per_gas: "11000000000", max_priority_fee_per_gas: "1100000000" };
  const change = () => mining(state, replacement(raised, rest, ++state.replaced));
  return saving(state.transactions, id, change, dialect);
}

/** What is written is mined at once; only the record knows it later. */
function mining({ chain }: State, record: JsonObject, hash = record.hash): JsonObject {
  if (record.nonce !== undefined) chain.mined.push(minedAs(String(hash), record));
  return record;
}

/** The hash under which a cancellation is mined. */
const NOOP_HASH = hashOf(999);

/** facts 5.5: the record becomes a transfer of nothing to itself, and keeps its status and its hash. */
function cancelTransaction(id: string, before: JsonObject, { state, dialect }: Serving): Considered {
  const noop = { to: before.from ?? null, value: "0x0", data: "0x", is_canceled: true };
  return saving(state.transactions, id, () => mining(state, { ...before, ...noop }, NOOP_HASH), dialect);
}

/** facts 3.5. */
function sponsored(path: string): JsonObject {
  if (path.endsWith("/quote")) return { estimated_fee: "0.000105", conversion_rate: "151.73" };
  const fee = {
    fee_in_spl: "105000",
    fee_in_lamports: "5000",
    fee_token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  };
  return { transaction: "AQABAg==", ...fee, valid_until_blockheight: 321_000_150 };
}

/** facts 5.3 and 5.7: what its JSON reader rejects. */
function shapeProblem({ value, memo }: JsonObject): string | undefined {
  if (typeof value === "bigint" && value > MAX_U64)
    return "invalid type: floating point, expected a 32 byte hex string";
  const bytes = (memo as JsonObject | undefined)?.value;
  return Array.isArray(bytes) ? "invalid type: sequence, expected a string" : undefined;
}

const AMOUNTS = ["value", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];
const KEPT = ["to", "data", "gas_limit", "speed", "source_account", "transaction", ...AMOUNTS];

function replacement(before: JsonObject, body: JsonObject, replaced: number): JsonObject {
  const asked = Object.entries(body).filter(([key]) => KEPT.includes(key));
  const shown = asked.map(([key, value]): [string, JsonValue] => [key, AMOUNTS.includes(key) ? String(value) : value]);
  const hash = before.hash === undefined ? {} : { hash: hashOf(replaced) };
  return { ...before, ...Object.fromEntries(shown), ...hash };
}
