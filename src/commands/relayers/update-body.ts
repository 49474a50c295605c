import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { writeJson } from "../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../../contract/network-kind.ts";
import { policySchemas } from "../../contract/policy.ts";
import { updateRelayerSchema } from "../../contract/relayer.ts";
import { flagOf, judgeBody } from "../../flow/body-problems.ts";
import { Problems } from "../../flow/problems.ts";
import { policyFromFlags } from "./policy-flags.ts";
import type { TypedUpdate } from "./update-flags.ts";

/**
 * The body to send, judged by the contract.
 * @param kind the relayer's kind; nothing when it is not known, as in a dry run. Then every kind is tried, and the body
 *   counts when all kinds that accept it agree.
 */
export function updateBody(problems: Problems, typed: TypedUpdate, kind: NetworkKind | undefined): JsonObject {
  judgeBody(problems, updateRelayerSchema, typed.body, (path) => whereOf(path, typed.file));
  if (typed.policies === undefined) return typed.body;
  if (typed.policies === null) return { ...typed.body, policies: null };
  const policies = kind ? policiesOf(problems, typed, kind) : policiesOfAnyKind(problems, typed);
  return { ...typed.body, policies };
}

/** Whether there is nothing in a body that would change anything. */
export function isEmptyUpdate(body: JsonObject): boolean {
  const { policies, ...rest } = body;
  const patchesNothing = policies === undefined || writeJson(policies) === "{}";
  return Object.keys(rest).length === 0 && patchesNothing;
}

/** The kind that a relayer says it is of; nothing for one that this tool does not know. */
export function kindOf(networkType: JsonValue | undefined): NetworkKind | undefined {
  return isNetworkKind(networkType) ? networkType : undefined;
}

function policiesOf(problems: Problems, typed: TypedUpdate, kind: NetworkKind): JsonObject {
  const patch = policyFromFlags(problems, typed.policies ?? { set: [], unset: [], file: {} }, kind);
  judgeBody(problems, policySchemas[kind], patch, (path) => (path ? `--policy ${path}` : "--policy"));
  return patch;
}

function policiesOfAnyKind(problems: Problems, typed: TypedUpdate): JsonObject {
  const tries = NETWORK_KINDS.map((kind) => {
    const found = new Problems();
    return { kind, found, patch: policiesOf(found, typed, kind) };
  });
  const fitting = tries.filter(({ found }) => found.count === 0);
  const [first] = fitting;
  if (!first) return policiesOf(problems, typed, closest(tries));
  const spellings = new Set(fitting.map(({ patch }) => writeJson(patch)));
  if (spellings.size > 1) problems.add("--policy", `means different things for ${fitting.map(({ kind }) => kind).join(" and ")} relayers; add --kind`);
  return first.patch;
}

function closest(tries: readonly { kind: NetworkKind; found: Problems }[]): NetworkKind {
  return tries.reduce((best, next) => (next.found.count < best.found.count ? next : best)).kind;
}

function whereOf(path: string, file: string | undefined): string {
  if (path === "") return file ?? "the body";
  if (path.startsWith("custom_rpc_urls")) return "--rpc-url";
  return flagOf(path);
}
