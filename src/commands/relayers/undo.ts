import { typedAmount, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import type { Relayer } from "../../contract/relayer.ts";
import { policySchemas } from "../../contract/requests.ts";
import { isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { judgeBody } from "../../flow/body-problems.ts";
import { Problems } from "../../flow/problems.ts";
import type { Undo } from "../undo-line.ts";
import type { Change } from "./changes.ts";
import { policyAt } from "./policy-field.ts";
import { withMember } from "./with-member.ts";

/** All of it or nothing: a command that restores only a part would be taken for one that restores everything. */
export function undoOf(changes: readonly Change[], relayer: Relayer): Undo {
  const flags: string[] = [];
  for (const change of changes) {
    const one = undoOne(change, relayer);
    if ("because" in one) return one;
    flags.push(...one.flags);
  }
  return { flags };
}

function undoOne({ path, was = null }: Change, relayer: Relayer): Undo {
  if (path === "custom_rpc_urls") return undoUrls(was);
  if (path === "paused") return { flags: [was === true ? "--paused" : "--no-paused"] };
  if (path.startsWith("policies.")) return undoPolicy(path, was, relayer);
  if (was === "" || (was === null && path === "name")) return { because: `${path} was empty, and may not be` };
  const flag = path.replaceAll("_", "-");
  if (typeof was !== "string") return { flags: [`--no-${flag}`] };
  return { flags: was.startsWith("-") ? [`--${flag}=${was}`] : [`--${flag}`, was] };
}

/** A URL that is masked, or holds what may not be printed, cannot be typed again. */
function undoUrls(was: JsonValue): Undo {
  if (!Array.isArray(was) || was.length === 0) return { flags: ["--no-rpc-urls"] };
  const flags = was.map(urlFlag);
  if (flags.every((flag) => flag !== undefined)) return { flags: flags.flatMap((flag) => ["--rpc-url", flag]) };
  return { because: "only the service knows the URLs that custom_rpc_urls held" };
}

function urlFlag(entry: JsonValue): string | undefined {
  if (!isJsonObject(entry) || typeof entry.url !== "string") return undefined;
  return isMasked(entry.url) || maskRpcUrl(entry.url) !== entry.url ? undefined : typedRpcUrl(entry.url, entry.weight);
}

/** `https://rpc.example.org,weight=7`, as `--rpc-url` takes it. */
export function typedRpcUrl(url: string, weight: JsonValue | undefined): string {
  return weight === undefined ? url : `${url},weight=${writeJson(weight)}`;
}

function undoPolicy(path: string, was: JsonValue, relayer: Relayer): Undo {
  const key = path.slice("policies.".length);
  const because = refusalOf(key, was, relayer);
  if (because !== undefined) return { because };
  if (was === null) return { flags: ["--unset-policy", key] };
  const field = policyAt(path, relayer);
  const amount = field?.type === "amount" ? wireAmount(was) : undefined;
  const text = field?.type === "amount" && amount !== undefined ? typedAmount(amount, field.unit) : textOf(was);
  return { flags: ["--policy", `${key}=${text}`] };
}

/** What the service holds may be something that may not be sent, as no strategy at all or an empty text. */
function refusalOf(key: string, was: JsonValue, { network_type }: Relayer): string | undefined {
  if (was === "") return `${key} was empty, and may not be`;
  if (!isNetworkKind(network_type)) return undefined;
  const problems = new Problems();
  judgeBody(problems, policySchemas[network_type], withMember({}, key, was), () => key);
  const rule = problems.found[0]?.rule;
  return rule && `${key} was ${was === null ? "unset" : textOf(was)}: ${rule}`;
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value);
}
