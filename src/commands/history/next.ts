import type { App } from "../../app.ts";
import { pasteable } from "../../command-support/shell/spelled.ts";
import { isJsonObject, type JsonObject, writeJson } from "../../contract/json.ts";
import type { Network } from "../../contract/resources/network.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { appliedOf, type RecordedWrite } from "../../journal/writes.ts";
import { undoOfNetwork } from "../networks/send-change.ts";
import { undoOfNotification } from "../notifications/send-change.ts";
import { changesOf } from "../relayers/change/changes.ts";
import { undoOf } from "../relayers/change/undo.ts";
import { type Undo, withIds } from "../undo-line.ts";
import { transactionOf } from "./item.ts";

/** The command that undoes a write, follows its transaction, or finds out what became of it. */
export interface Next {
  label: "undo" | "follow" | "settle";
  command: string;
}

/** Returns the next command after a write; undefined if there is none. */
export function nextOf(write: RecordedWrite, app: Pick<App, "env" | "secrets">): Next | undefined {
  const { intent } = write;
  const next = (label: Next["label"], words: readonly string[]): Next | undefined => {
    const line = pasteable([...targetWords(write), ...words], app);
    return "line" in line ? { label, command: line.line } : undefined;
  };
  const applied = appliedOf(write);
  if (applied === "unknown") return next("settle", ["history", "settle"]);
  if (applied === "no") return undefined;
  const transaction = transactionOf(write);
  const { relayer_id: relayer } = intent.ids;
  if (transaction !== undefined && typeof relayer === "string")
    return next("follow", ["tx", "get", ...withIds([], [relayer, transaction])]);
  const undo = undoWords(write);
  return undo && next("undo", undo);
}

function targetWords({ intent: { context } }: RecordedWrite): readonly string[] {
  if (context === "demo") return ["--demo"];
  return typeof context === "string" && context !== "" && !context.startsWith("-") ? ["-c", context] : [];
}

/** What cannot be typed again: masked URLs, and the fingerprints of secrets. */
const HIDDEN = /\*\*\*|"hmac:/;

function undoWords({ intent, outcome }: RecordedWrite): readonly string[] | undefined {
  const { operation, ids, body, before } = intent;
  const [noun = "", verb] = operation.split(".");
  const [id] = verb === "create" ? [outcome?.after?.id] : Object.values(ids);
  if (typeof id !== "string" || id === "-") return undefined;
  if (verb === "create") return [noun, "delete", ...withIds([], [id])];
  if (verb !== "update" || !isJsonObject(body) || before?.id !== id || HIDDEN.test(writeJson([body, before])))
    return undefined;
  const undo = UNDOS[noun]?.(body, before);
  return undo && "flags" in undo && undo.flags.length > 0 ? [noun, "update", ...withIds(undo.flags, [id])] : undefined;
}

const UNDOS: Readonly<Record<string, (body: JsonObject, before: JsonObject) => Undo>> = {
  relayers: (body, before) => undoOf(changesOf(body, before as Relayer), before as Relayer),
  notifications: (body, before) => undoOfNotification(body, before as Notification),
  networks: (_, before) => undoOfNetwork(before as Network),
};
