import { Problems } from "../../../command-support/problems.ts";
import { validateBody } from "../../../command-support/request-body/body-problems.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import { type ListField, networkRule } from "../../../contract/policy.ts";
import { policySchemas } from "../../../contract/requests.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Problem } from "../../../errors.ts";
import { withField } from "../change/with-field.ts";
import { heldIn, type Part, type PartField } from "./part.ts";

/** Something that is being changed, as the answers have made it so far. */
export interface Draft {
  value: JsonObject;
  /** The rule that a next version of it would break; nothing when it may be so. */
  broken(value: JsonObject): string | undefined;
}

/** What a question is about. */
export interface Subject {
  label: string;
  field: PartField;
  /** Null when it is unset. */
  now: JsonValue;
  /** The rule that this value would break, here or elsewhere in what is being changed. */
  broken(value: JsonValue): string | undefined;
}

/** A list that is being changed, as it is by now. */
export interface ListSubject {
  subject: Subject;
  field: ListField;
  list: JsonValue[];
}

export function subjectOf(draft: Draft, part: Part): Subject {
  const broken = (value: JsonValue) => draft.broken(withField(draft.value, part.path, value));
  return { label: part.label, field: part.field, now: heldIn(draft.value, part), broken };
}

/** @param answer absent when it is to stay as it is, null when it is to be cleared */
export function answered(draft: Draft, { path }: Part, answer: JsonValue | undefined): Draft {
  return answer === undefined ? draft : { ...draft, value: withField(draft.value, path, answer) };
}

/** A relayer to be changed. Its policies are judged whole, by the contract. */
export function relayerDraft(relayer: Relayer): Draft {
  return { value: relayer, broken: (value) => newlyBroken(relayer, value)[0]?.rule };
}

/** What a change of a relayer would break, by the path within the policies; what was broken before is not held against it. */
export function newlyBroken(relayer: Relayer, value: JsonObject): Problem[] {
  const { network_type: kind } = relayer;
  if (!isNetworkKind(kind)) return [];
  const known = new Set(rulesBroken(kind, relayer).map(({ rule }) => rule));
  return rulesBroken(kind, value).filter(({ rule }) => !known.has(rule));
}

function rulesBroken(kind: NetworkKind, { network, policies }: JsonObject): Problem[] {
  const problems = new Problems();
  const whole = isJsonObject(policies) ? policies : {};
  validateBody(problems, policySchemas[kind], whole, (path) => path);
  const misplaced = networkRule(kind, network, whole);
  if (misplaced !== undefined) problems.add("swap_config.strategy", misplaced);
  return problems.found;
}
