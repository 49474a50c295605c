import { hexDigits } from "../digits.ts";
import type { Generated, Resource } from "../state/collection.ts";

const NETWORKS = ["mainnet", "base", "arbitrum-one", "polygon", "sepolia"];
const ID_DIGITS = 7;
const ID = new RegExp(`^relayer-([0-9]{${ID_DIGITS}})$`);

/** The largest fleet: all IDs have the same length, so that IDs sort by position. */
export const LARGEST_FLEET = 10 ** ID_DIGITS - 1;

const KEPT = 2000;

/** Returns a fleet of EVM relayers from `relayer-0000001` on, each generated from its position on access. */
export function seedFleetRelayers(size: number): Generated {
  const kept: { position: number; relayer: Resource }[] = [];
  return {
    size,
    at(position) {
      const known = kept[position % KEPT];
      if (known?.position === position) return known.relayer;
      const relayer = fleetRelayer(position + 1);
      kept[position % KEPT] = { position, relayer };
      return relayer;
    },
    positionOf(id) {
      const number = Number(ID.exec(id)?.[1] ?? 0);
      return number >= 1 && number <= size ? number - 1 : undefined;
    },
  };
}

/** Generates a relayer. Every 20th is paused and every 100th has lost its nonce, so that filters find some. */
function fleetRelayer(number: number): Resource {
  const disabled = number % 100 === 0;
  const reason = { disabled_reason: { type: "NonceSyncFailed", details: "Nonce synchronization failed" } };
  return {
    id: `relayer-${String(number).padStart(ID_DIGITS, "0")}`,
    name: `Relayer ${number}`,
    network: NETWORKS[number % NETWORKS.length] ?? "mainnet",
    network_type: "evm",
    address: `0x${hexDigits(number, 40)}`,
    signer_id: `signer-${number}`,
    notification_id: "ops-hook",
    paused: number % 20 === 0,
    system_disabled: disabled,
    ...(disabled ? reason : {}),
    policies: { eip1559_pricing: true, gas_price_cap: 80_000_000_000, min_balance: 500_000_000_000_000_001n },
  };
}
