import { CANARY_KEY, CANARY_TOKEN } from "../../helpers/scan.ts";
import { HOSTILE } from "../terminal/hostile.ts";
import type { Chance } from "./chance.ts";

const TEXTS = ["", "eth-main-1", "true", "__proto__", "0x", "..", "a/b", "é", ...HOSTILE.map(([, text]) => text)];
const NUMBERS = ["0", "-1", "1.5", "1e400", "9007199254740993", `${2n ** 128n}`, "-0", "NaN"] as const;

/** A member name: one of the contract's or anything. */
function randomKey(chance: Chance): string {
  return chance.once(4) ? chance.text(6) : chance.pick(KEYS);
}

const KEYS = [
  ...["id", "name", "network_type", "paused", "policies", "custom_rpc_urls", "url", "weight", "type", "signing_key"],
  ...["value", "gas_limit", "memo", "operations", "data", "status", "hash", "disabled_reason", "to", "success"],
];

/** JSON text, valid more often than not. */
export function randomJson(chance: Chance, depth = 0): string {
  const choice = chance.below(depth > 3 ? 5 : 8);
  if (choice < 2) return JSON.stringify(chance.pick(TEXTS));
  if (choice === 2) return chance.pick(NUMBERS);
  if (choice === 3) return chance.pick(["true", "false", "null"]);
  if (choice === 4) return JSON.stringify(chance.text(12));
  const items = Array.from({ length: chance.below(5) }, () => randomJson(chance, depth + 1));
  if (choice === 5) return `[${items.join()}]`;
  return `{${items.map((item) => `${JSON.stringify(randomKey(chance))}:${item}`).join()}}`;
}

/** The content of a file that a user may name. */
export function randomContent(chance: Chance): string {
  return chance.pick<() => string>([
    () => randomJson(chance),
    () => randomJson(chance).slice(0, -1),
    () => chance.text(200),
    () => `${CANARY_TOKEN}\n`,
    () => CANARY_KEY,
    () => "",
    () => "\ufeff{}",
    () => "[".repeat(5000),
    () => `{"signing_key":"${CANARY_KEY}","url":"https://h.example"}`,
    () => '{"paused":true}',
    () => '{"paused":true,"name":"x"}',
    () => '{"url":"https://h.example"}',
    () => '{"value":1}',
  ])();
}
