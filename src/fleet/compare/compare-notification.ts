import type { JsonValue } from "../../contract/json.ts";
import { requestFields } from "../../contract/resources/field.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { maskRpcUrl, rpcUrlHasUserInfo } from "../../contract/rpc-url.ts";
import type { DesiredResource } from "../desired.ts";
import { hiddenIn, hiddenText, hiddenUrl } from "../hidden.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type Comparison, type Findings, reasons } from "./findings.ts";

const HIDDEN_KEY = hiddenText("key");
export const NOTIFICATION_MEMBERS = requestFields(notificationFields).filter(
  (name) => !["id", "url", "signing_key"].includes(name),
);

/** Compares a notification of a file with the service's, which never includes the signing key (facts 6). */
export async function compareNotification(comparison: Comparison): Promise<void> {
  const { desired, live, findings } = comparison;
  const { url = null } = desired.fields;
  const before = live.url ?? null;
  for (const name of NOTIFICATION_MEMBERS) {
    const [after, found] = [desired.fields[name] ?? null, live[name] ?? null];
    if (after !== null && found !== null && canonicalJson(after) !== canonicalJson(found))
      findings.change({ path: [name], before: found, after });
  }
  if (url !== null && typeof before !== "string") findings.unknown("url", reasons.notReturned);
  else if (url !== null && url !== before) compareUrl(desired, url, before, findings);
  await compareKey(comparison);
}

function compareUrl({ references }: DesiredResource, url: JsonValue, before: JsonValue, findings: Findings): void {
  const isSecret = references.has("url");
  if (hiddenIn(url) === undefined) {
    findings.change({ path: ["url"], before: shown(before, isSecret), after: shown(url, isSecret), sent: url });
  } else if (typeof before === "string" && hiddenUrl(before, 1) === url) {
    findings.unknown("url", reasons.leftOut);
  } else {
    const reason = "the file leaves the URL out: write it in the file";
    findings.impossible("url", { before: shown(before, true), after: url, reason });
  }
}

function shown(url: JsonValue, isSecret: boolean): JsonValue {
  if (typeof url !== "string") return url;
  return isSecret || rpcUrlHasUserInfo(url) ? maskRpcUrl(url) : url;
}

async function compareKey({ desired, live, findings, known, sendHidden }: Comparison): Promise<void> {
  const { id, fields, references } = desired;
  const { has_signing_key: hasKey } = live;
  const key = fields.signing_key;
  const path = ["signing_key"];
  const before = hasKey === true ? HIDDEN_KEY : null;
  if (typeof key !== "string" || key === "") {
    if (hasKey === true) findings.change({ path, before, after: null, sent: "" });
    return;
  }
  if (hiddenIn(key) !== undefined) {
    if (hasKey !== false) return findings.unknown("signing_key", reasons.leftOut);
    const reason = "the notification has no signing key, and the file leaves it out: write the key in the file";
    return findings.impossible("signing_key", { before, after: key, reason });
  }
  if (hasKey !== false) {
    const isLastApplied = await known.lastApplied("notifications", id, "signing_key");
    if (await isLastApplied?.(key)) return;
    if (!isLastApplied && !sendHidden) return findings.unknown("signing_key", reasons.neverReturned);
  }
  findings.change({ path, before, after: references.get("signing_key") ?? HIDDEN_KEY, sent: key });
}
