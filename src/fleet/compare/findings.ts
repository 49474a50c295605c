import {
  copyJsonObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonValueAt,
  pathsOverlap,
} from "../../contract/json.ts";
import { type DesiredResource, sourcePlaceText } from "../desired-fleet.ts";
import type { KnownSecrets } from "../known-secrets.ts";
import type { ImpossibleChange, NotCompared, OutsideApi, PlannedMember, PlannedResource } from "../plan.ts";
import { setPolicyLeaf } from "./policy-leaves.ts";
import { shownAfter, shownBefore } from "./shown.ts";

export const reasons = {
  notReturned: "the service does not return it",
  neverReturned: "the service never returns it",
  unreadable: "the service returned a value of an unknown type",
  leftOut: "the file leaves it out",
  masked: "the service masks it",
  doubted: "an earlier change of it has no known outcome",
} as const;

/** A difference in one member. Only `sent` may be a secret by its kind. */
export interface MemberChange {
  path: readonly string[];
  before: JsonValue;
  after: JsonValue;
  default?: JsonValue | undefined;
  /** The value in the request, if it is not `after`. */
  sent?: JsonValue;
}

export class Findings {
  readonly members: PlannedMember[] = [];
  readonly cannot: ImpossibleChange[] = [];
  readonly notCompared: NotCompared[] = [];
  readonly outside: OutsideApi[] = [];
  /** Why members are sent although they look equal. */
  readonly repeated: string[] = [];
  /** The merge patch for all changes, with secrets. */
  readonly patch: JsonObject = copyJsonObject({});
  private readonly desired: DesiredResource;

  constructor(desired: DesiredResource) {
    this.desired = desired;
  }

  resource(path?: string): PlannedResource {
    const { noun, id, place } = this.desired;
    return { noun, id, at: sourcePlaceText(path === undefined ? place : this.desired.placeOf(path)) };
  }

  change({ path, before, after, default: byDefault, sent = after }: MemberChange): void {
    const name = path.join(".");
    this.members.push({
      path: name,
      ...this.shown(name, before, after, sent),
      ...(byDefault !== undefined && { default: byDefault }),
      at: sourcePlaceText(this.desired.placeOf(name)),
    });
    setPolicyLeaf(this.patch, path, sent);
  }

  withdraw(path: string): void {
    const at = this.members.findIndex((member) => member.path === path);
    if (at < 0) return;
    this.members.splice(at, 1);
    deleteAt(this.patch, [path]);
  }

  /** @param path empty for the whole resource @param at the path of the place, if it differs */
  impossible(path: string, difference: Pick<ImpossibleChange, "before" | "after" | "reason">, at = path): void {
    const { before, after } = difference;
    this.cannot.push({ ...this.resource(at), path, ...difference, ...this.shown(path, before, after) });
  }

  /** Makes all findings about a member, or a part of it, impossible: it is not sent. */
  refuse(path: string, reason: string): void {
    const lists: { path?: string }[][] = [this.members, this.cannot, this.outside, this.notCompared];
    for (const list of lists) {
      const found: Partial<PlannedMember>[] = list.filter(
        (each) => each.path !== undefined && pathsOverlap(each.path, path),
      );
      for (const each of found) {
        list.splice(list.indexOf(each), 1);
        const { path: at = "", before = null, after = null } = each;
        deleteAt(this.patch, at.split("."));
        this.cannot.push({ ...this.resource(at), path: at, before, after, reason });
      }
      if (found.length > 0) return;
    }
  }

  unknown(path: string, reason: string): void {
    this.notCompared.push({ ...this.resource(path), path, reason });
  }

  /** Makes an equal or unset member a difference, since an earlier change of it may still arrive. */
  doubt(path: string): void {
    const found = [...this.members, ...this.cannot, ...this.notCompared];
    if (found.some((each) => pathsOverlap(each.path, path))) return;
    const names = path.split(".");
    const isUnset = names[0] === "policies" || path === "notification_id";
    const value = jsonValueAt(this.desired.fields, names) ?? (isUnset ? null : undefined);
    if (value === undefined) return;
    if (isJsonObject(value)) this.unknown(path, reasons.doubted);
    else {
      const label = path.replace(/^policies\./, "");
      this.change({ path: names, before: value, after: value });
      this.repeated.push(`${label} is sent again: an earlier change of it has no known outcome and may still arrive`);
    }
  }

  outsideApi(reason: string, difference?: { path: string; before: JsonValue; after: JsonValue }): void {
    const { path, before = null, after = null } = difference ?? {};
    const shown = path === undefined ? {} : { path, ...this.shown(path, before, after) };
    this.outside.push({ ...this.resource(path), ...shown, reason });
  }

  /** Returns the two values for a plan. @param sent the value of the file, if `after` is masked */
  private shown(
    path: string,
    before: JsonValue,
    after: JsonValue,
    sent = after,
  ): Pick<PlannedMember, "before" | "after"> {
    const { desired } = this;
    return { before: shownBefore(desired, path, before, sent), after: shownAfter(desired, path, after) };
  }
}

export interface Comparison {
  desired: DesiredResource;
  live: JsonObject;
  findings: Findings;
  known: KnownSecrets;
  sendHidden: boolean;
}

function deleteAt(object: JsonObject, [head = "", ...rest]: readonly string[]): void {
  const inner = object[head];
  if (rest.length > 0 && isJsonObject(inner)) deleteAt(inner, rest);
  if (rest.length === 0 || (isJsonObject(inner) && Object.keys(inner).length === 0)) delete object[head];
}
