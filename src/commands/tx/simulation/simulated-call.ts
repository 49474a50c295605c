import { addressOf, bytesOf } from "../../../chain/evm/quantity.ts";
import { bounded } from "../../../chain/node/bounded.ts";
import type { ChainNode } from "../../../chain/node/node.ts";
import type { SimulatedCall } from "../../../chain/simulation/simulation.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { SIMULATION_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

/** What the call of a transaction is made of. */
export interface Sender {
  /** The address of the relayer, as the service shows it. */
  from: JsonValue | undefined;
  body: JsonObject;
}

/** Returns the call that a body makes, or why there is none. */
export function callOf({ from: sender, body }: Sender): SimulatedCall | string {
  const from = addressOf(sender);
  if (from === undefined) return "the address of the relayer is not known";
  const to = (body.to ?? null) === null ? null : addressOf(prefixed(body.to));
  const data = bytesOf(prefixed(body.data ?? "0x"));
  if (to === undefined || data === undefined) return "its receiver or its data cannot be read";
  if (to === null && data === "0x") return "it has neither receiver nor data";
  return { from, to, value: wireAmount(body.value) ?? 0n, data, gas: wireAmount(body.gas_limit) };
}

/** The service accepts hex without its prefix. */
function prefixed(hex: JsonValue | undefined): JsonValue | undefined {
  return typeof hex === "string" && !hex.startsWith("0x") ? `0x${hex}` : hex;
}

/** The most requests for one transaction: four for each of three simulations, two nonces, and the code. */
const MOST_REQUESTS = 16;

/** Returns the node, asked only while there is time: a node that hangs must not hold up what is sent. */
export function withinTime({ app: { clock } }: Pick<Call, "app">, node: ChainNode): ChainNode {
  const end = clock.elapsed() + SIMULATION_TIMEOUT;
  return bounded(node, { calls: MOST_REQUESTS, remaining: () => end - clock.elapsed() });
}
