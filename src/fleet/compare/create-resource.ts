import { copyObject, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { fieldAt, policyFields } from "../../contract/policy.ts";
import { sentFields } from "../../contract/resources/field.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import type { DesiredResource } from "../desired.ts";
import type { PlannedMember } from "../plan.ts";
import { placeText } from "../source/place.ts";
import { unsetValue } from "./canonical-policy.ts";
import { shownUrls } from "./rpc-urls.ts";
import { shownAfter } from "./shown.ts";

/** The members of a request that creates, in its order; those of an object follow from it. */
const MEMBERS: Readonly<Record<"relayers" | "signers" | "notifications", readonly string[]>> = {
  relayers: sentFields(relayerFields, "create").map(([name]) => name),
  signers: ["id", "type", "config"],
  notifications: sentFields(notificationFields, "create").map(([name]) => name),
};

/** Returns the body that creates a resource, with the secrets in it. */
export function creationBody({ noun, id, fields }: DesiredResource): JsonObject {
  const body = copyObject({});
  const names = noun === "networks" || noun === "plugins" ? [] : MEMBERS[noun];
  for (const name of names) {
    const value = name === "id" ? id : (fields[name] ?? null);
    if (value !== null) body[name] = value;
  }
  return body;
}

/** Returns each member that a creation sets. */
export function createdMembers(desired: DesiredResource): PlannedMember[] {
  const { id: _id, ...body } = creationBody(desired);
  return Object.entries(body).flatMap(([name, value]) => membersOf(desired, [name], value));
}

function membersOf(desired: DesiredResource, path: readonly string[], value: JsonValue): PlannedMember[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : membersOf(desired, [...path, name], member),
    );
  }
  const name = path.join(".");
  const byDefault = defaultOf(desired, path);
  return [
    {
      path: name,
      before: null,
      after: shownMember(desired, name, value),
      ...(byDefault !== undefined && { default: byDefault }),
      at: placeText(desired.placeOf(name)),
    },
  ];
}

function defaultOf({ fields }: DesiredResource, [head, ...rest]: readonly string[]): JsonValue | undefined {
  if (head !== "policies" || !isNetworkKind(fields.network_type)) return undefined;
  const field = fieldAt(policyFields[fields.network_type], rest.join("."));
  return field && unsetValue(field);
}

/** Returns a member without its secret: a reference to it, or a URL without what may be one. */
function shownMember(desired: DesiredResource, path: string, value: JsonValue): JsonValue {
  if (RPC_URL_FIELDS.some((field) => field === path)) return shownAfter(desired, path, shownUrls(value));
  const reference = desired.references.get(path);
  if (reference === undefined || typeof value !== "string") return shownAfter(desired, path, value);
  return path === "url" && !desired.hidden.has(path) ? maskRpcUrl(value) : reference;
}
