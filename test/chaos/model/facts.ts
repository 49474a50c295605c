import { hex } from "./node.ts";
import { json, type Stored } from "./record.ts";
import type { Wish } from "./worker.ts";
import { CALM, createWorld, type ModelWorld, type WorldOptions } from "./world.ts";

const TO = `0x${"3c".repeat(20)}`;

/** A transfer of 1000 wei with every field of a request. */
export const TRANSFER: Wish = { to: TO, value: 1_000n, data: null, gas: 21_000, speed: "fast" };
export const REPLACEMENT: Wish = { ...TRANSFER, value: 2_000n };

export function calmWorld(options: Partial<WorldOptions> = {}): ModelWorld {
  return createWorld({ ...CALM, ...options });
}

let ids = 0;

/** Posts a transfer, and lets time pass until it was broadcast; the cap is set as a share of its fee, in percent. */
export function submitted(
  world: ModelWorld,
  { capPercent, wish = TRANSFER }: { capPercent?: number; wish?: Wish } = {},
): Stored {
  const stored = posted(world, wish);
  pass(world, 6_000);
  if (capPercent !== undefined && stored.price) setCap(world, (stored.price.maxFee * BigInt(capPercent)) / 100n);
  return stored;
}

export function setCap({ fleet, relayer }: ModelWorld, cap: bigint | null): void {
  fleet.change(relayer.id, { policies: { gas_price_cap: cap === null ? null : Number(cap) } });
}

export function posted({ worker, relayer }: ModelWorld, wish: Wish = TRANSFER): Stored {
  return worker.post(`tx-${++ids}`, { relayer: relayer.id, address: relayer.address }, wish);
}

/** Lets time pass without a block. */
export function pass({ timeline }: ModelWorld, milliseconds: number): void {
  timeline.passTo(timeline.now + milliseconds);
}

/** Mines blocks, two seconds apart. */
export function mine(world: ModelWorld, count = 1): void {
  for (let block = 0; block < count; block++) {
    world.mine();
    pass(world, 2_000);
  }
}

export function shown(stored: Stored): Record<string, unknown> {
  return json(stored) as Record<string, unknown>;
}

/** The value of what was mined with a record's nonce. */
export function minedValue({ chain }: ModelWorld, { from, nonce }: Stored): bigint | undefined {
  return chain.minedBy(from, nonce ?? -1)?.transaction.value;
}

export function ask({ node }: ModelWorld, method: string, ...params: unknown[]): unknown {
  const found = node(method, params);
  return "result" in found ? found.result : found;
}

export function isKnown(world: ModelWorld, hash: string | null): boolean {
  return ask(world, "eth_getTransactionByHash", hash) !== null;
}

export { hex };
