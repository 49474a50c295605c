import { typedAmount, wireAmount } from "../../contract/amount.ts";
import { type JsonValue, writeJson } from "../../contract/json.ts";
import type { Relayer } from "../../contract/relayer.ts";
import type { Change } from "./changes.ts";
import { unitOf } from "./policy-unit.ts";

/** The flags that restore what was; nothing when that is not possible, as for URLs that only the service knows. */
export function undoFlags(changes: readonly Change[], relayer: Relayer): string[] | undefined {
  const flags = changes.map((change) => undoFlag(change, relayer));
  return flags.every((flag) => flag !== undefined) ? flags.flat() : undefined;
}

function undoFlag({ path, was }: Change, relayer: Relayer): string[] | undefined {
  if (path === "custom_rpc_urls" || path === "policies") return undefined;
  if (path === "paused") return was === true ? ["--paused"] : ["--no-paused"];
  if (path.startsWith("policies.")) return undoPolicy(path, was, relayer);
  if (was === "") return undefined;
  const flag = path.replaceAll("_", "-");
  if (typeof was !== "string") return [`--no-${flag}`];
  return was.startsWith("-") ? [`--${flag}=${was}`] : [`--${flag}`, was];
}

function undoPolicy(path: string, was: JsonValue | undefined, relayer: Relayer): string[] | undefined {
  const key = path.slice("policies.".length);
  if (was === undefined || was === null) return ["--unset-policy", key];
  if (was === "") return undefined;
  const unit = unitOf(path, relayer);
  const amount = unit && wireAmount(was);
  const text = unit && amount !== undefined ? typedAmount(amount, unit) : textOf(was);
  return ["--policy", `${key}=${text}`];
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value);
}
