import type { KeptValue, ResourceName } from "../../../fleet/export/in-place/update-texts.ts";
import type { Plan, PlannedChange, PlannedMember } from "../../../fleet/plan.ts";
import type { UpdatedFiles } from "./update-files.ts";

/** Returns how files change, in the form of a plan: from what they describe to what the service has. */
export function fileChanges({ desired, plan, kept, added, removed, texts }: UpdatedFiles): Plan {
  const updated = desired.resources.flatMap(({ noun, id, place }) => {
    const members = texts.has(place.file) ? membersOf(plan, { noun, id }, kept) : [];
    return members.length === 0 ? [] : [changeOf("update", { noun, id }, members)];
  });
  const changes = [
    ...removed.map((name) => changeOf("delete", name)),
    ...updated,
    ...added.map((name) => changeOf("create", name)),
  ];
  return { ...plan, changes, cannot: [], outside: [], not_compared: [], unmanaged: [] };
}

/** Returns the number of networks that differ in a folder of networks, whose files stay as they are. */
export function differingInFolder({ desired, plan, live, texts }: UpdatedFiles): number {
  const inFolder = desired.resources.filter(({ noun, place }) => noun === "networks" && !texts.has(place.file));
  const differing = inFolder.filter(
    (each) => !live.resources.networks.has(each.id) || membersOf(plan, each, []).length > 0,
  );
  return differing.length;
}

function changeOf(
  action: PlannedChange["action"],
  { noun, id }: ResourceName,
  members: readonly PlannedMember[] = [],
): PlannedChange {
  return { action, noun, id, members, body: {}, effects: [], consent: "none", needs: [] };
}

/** Returns the members of a resource that differ, from the value of the file to that of the service. */
function membersOf(
  { changes, cannot, outside }: Plan,
  name: ResourceName,
  kept: readonly KeptValue[],
): PlannedMember[] {
  const isIts = (other: ResourceName) => other.noun === name.noun && other.id === name.id;
  const updates = changes.filter((change) => isIts(change) && change.action === "update");
  const all = [...updates.flatMap(({ members }) => members), ...cannot.filter(isIts), ...outside.filter(isIts)];
  return all.flatMap(({ path, before = null, after = null }) => {
    const isKept = kept.some((value) => isIts(value) && `${value.path}.`.startsWith(`${path}.`));
    return path === undefined || isKept ? [] : [{ path, before: after, after: before }];
  });
}
