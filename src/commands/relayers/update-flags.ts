import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Call } from "../../flow/call.ts";
import { inputName, readJsonObject } from "../../flow/input-file.ts";
import { nullableText, type Problems } from "../../flow/problems.ts";
import type { PolicyFlags } from "./policy-flags.ts";

/** The flags of `relayers update`, as commander names them. */
export interface UpdateFlags {
  name?: string | false;
  paused?: boolean;
  notificationId?: string | false;
  rpcUrl?: string[];
  /** False for `--no-rpc-urls`. */
  rpcUrls?: boolean;
  policy?: string[];
  unsetPolicy?: string[];
  policies?: string;
  resetPolicies?: true;
  file?: string;
  kind?: NetworkKind;
  diff?: true;
}

/** What was typed, with the policies apart: they are judged once the relayer's kind is known. */
export interface TypedUpdate {
  body: JsonObject;
  /** Absent when no policy is named; null to reset them all. */
  policies: PolicyFlags | null | undefined;
  /** Where the body came from, for messages about members that no flag gave. */
  file: string | undefined;
}

/** Turns flags and files into what is to be changed. Absent, null and value stay apart. */
export async function updateFromFlags(call: Pick<Call<UpdateFlags>, "app" | "flags">, problems: Problems): Promise<TypedUpdate> {
  const { flags, app } = call;
  const whole = flags.file === undefined ? {} : await readJsonObject(app, flags.file);
  const { policies: filePolicies, ...fromFile } = whole;
  const policiesFile = flags.policies === undefined ? undefined : await readJsonObject(app, flags.policies);
  return {
    body: { ...fromFile, ...bodyFromFlags(flags, problems) },
    policies: policiesTyped(flags, filePolicies, policiesFile, problems),
    file: flags.file === undefined ? undefined : inputName(flags.file),
  };
}

function bodyFromFlags(flags: UpdateFlags, problems: Problems): JsonObject {
  const name = nullableText(problems, "name", flags.name);
  const notification = nullableText(problems, "notification-id", flags.notificationId);
  return {
    ...(name !== undefined && { name }),
    ...(flags.paused !== undefined && { paused: flags.paused }),
    ...(notification !== undefined && { notification_id: notification }),
    ...rpcUrls(flags, problems),
  };
}

function rpcUrls(flags: UpdateFlags, problems: Problems): JsonObject {
  if (flags.rpcUrls === false && flags.rpcUrl) problems.add("--rpc-url", "cannot be given together with --no-rpc-urls");
  if (flags.rpcUrls === false) return { custom_rpc_urls: null };
  return flags.rpcUrl ? { custom_rpc_urls: flags.rpcUrl.map((text) => rpcUrl(text, problems)) } : {};
}

/** `URL[,weight=N]` */
function rpcUrl(text: string, problems: Problems): JsonObject {
  const found = /^(.*?)(?:,weight=(.*))?$/s.exec(text);
  const [url, weight] = [found?.[1] ?? "", found?.[2]];
  if (weight === undefined) return { url };
  if (!/^[0-9]+$/.test(weight)) problems.add("--rpc-url", "its weight is a whole number from 0 to 100", weight);
  return { url, weight: Number.parseInt(weight, 10) || 0 };
}

function policiesTyped(
  flags: UpdateFlags,
  fromFile: JsonObject[string] | undefined,
  policiesFile: JsonObject | undefined,
  problems: Problems,
): PolicyFlags | null | undefined {
  const named = flags.policy || flags.unsetPolicy || policiesFile;
  if (flags.resetPolicies) {
    if (named) problems.add("--reset-policies", "cannot be given together with --policy, --unset-policy or --policies");
    return null;
  }
  if (!named && (fromFile === undefined || fromFile === null)) return fromFile as null | undefined;
  const file = { ...(fromFile as JsonObject | null | undefined), ...policiesFile };
  return { set: flags.policy ?? [], unset: flags.unsetPolicy ?? [], file };
}
