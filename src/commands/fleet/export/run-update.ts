import { writeLines } from "../../../command-support/prepared-write.ts";
import { type JsonObject, prettyJson } from "../../../contract/json.ts";
import { RPC_URL_FIELDS } from "../../../contract/rpc-url.ts";
import { markMasked, secretFieldsIn } from "../../../contract/secret-fields.ts";
import { interruptedError, RelayctlError, usageError } from "../../../errors.ts";
import { compareFleets } from "../../../fleet/compare/compare-fleets.ts";
import { readFleetFiles } from "../../../fleet/config/read-fleet.ts";
import { type DesiredFleet, FLEET_NOUNS, sourcePlaceText, sourceWarningText } from "../../../fleet/desired-fleet.ts";
import { fleetDocument } from "../../../fleet/export/fleet-document.ts";
import { type KeptValue, type ResourceName, updatedTexts } from "../../../fleet/export/in-place/update-texts.ts";
import { hiddenIn } from "../../../fleet/hidden.ts";
import { journaledSecrets } from "../../../fleet/journaled-secrets.ts";
import { type LiveFleet, readLiveFleet, readLiveFor } from "../../../fleet/live.ts";
import { type AllowedReferences, MAX_FLEET_BYTES, openFleetSources } from "../../../fleet/open-sources.ts";
import { type Plan, type PlannedChange, type PlannedMember, plannedName } from "../../../fleet/plan.ts";
import type { FleetSources } from "../../../fleet/sources.ts";
import { yamlText } from "../../../terminal/formats/yaml.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { planMessages } from "../make-plan.ts";
import { noteMissingInExport, yamlFile } from "./yaml-file.ts";

type UpdatedFiles = Awaited<ReturnType<typeof updateFiles>>;

/** A member can depend on another member that changes, e.g. a relayer's policies on its kind. */
const ROUNDS = 3;

/** @throws RelayctlError usage, with every problem of every file, before anything is sent */
async function updateFiles(
  call: Call,
  before: ReadonlyMap<string, string>,
  { showUrls, allowed }: Omit<ExportRequest, "files">,
) {
  const read = (texts: ReadonlyMap<string, string>) =>
    readFleetFiles([...texts.keys()], withTexts(openFleetSources(call.app, allowed), texts));
  const first = await read(before);
  for (const warning of first.warnings) await call.say(sourceWarningText(warning));
  const session = await call.session();
  session.hide(first.resources);
  const live = withoutQuotes(await readLiveFor(session.client, first), call.app);
  const options = {
    ...{
      files: [...before.keys()],
      server: session.origin,
      now: call.app.clock.now(),
      prune: false,
      sendHidden: false,
    },
    known: journaledSecrets(session.journal, session.origin),
  };
  const { plan } = await compareFleets(first, live, options);
  const update = (texts: ReadonlyMap<string, string>, comparison: { desired: DesiredFleet; plan: Plan }) =>
    updatedTexts({ texts, live, ...comparison }, { showUrls, yaml: yamlText });
  const updated = await update(before, { desired: first, plan });
  let { texts, kept } = updated;
  for (let round = 1; round < ROUNDS && !isSame(texts, before); round++) {
    const desired = await read(texts);
    const next = await update(texts, { desired, plan: (await compareFleets(desired, live, options)).plan });
    kept = next.kept;
    if (isSame(next.texts, texts)) break;
    texts = next.texts;
  }
  return { ...updated, texts, kept, desired: first, live, plan };
}

/** Returns the resources without secrets that a service quotes, except RPC URLs, which the files may have. */
function withoutQuotes(live: LiveFleet, { secrets }: Pick<Call["app"], "secrets">): LiveFleet {
  const masked = (resource: JsonObject): JsonObject => {
    const shown: JsonObject = secrets.masked(resource);
    if (shown === resource) return resource;
    const urls = Object.entries(resource).filter(([name]) => RPC_URL_FIELDS.some((field) => field === name));
    return { ...shown, ...Object.fromEntries(urls) };
  };
  const resources = { ...live.resources };
  for (const noun of FLEET_NOUNS)
    resources[noun] = new Map([...resources[noun]].map(([id, each]) => [id, masked(each)]));
  return { ...live, resources };
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return [...one].every(([path, text]) => text === other.get(path));
}

function withTexts(sources: FleetSources, texts: ReadonlyMap<string, string>): FleetSources {
  return {
    ...sources,
    read: async (path) => texts.get(path) ?? (await sources.read(path)),
    readReferenced: async (path, from) => texts.get(path) ?? (await sources.readReferenced(path, from)),
  };
}

const BYTE_ORDER_MARK = "\ufeff";

type OnDisk = ReadonlyMap<string, string | undefined>;

export async function runUpdate(call: Call, { files, ...options }: ExportRequest): Promise<View> {
  const onDisk = new Map<string, string | undefined>();
  for (const path of files) {
    onDisk.set(path, await call.app.files.load(path, MAX_FLEET_BYTES));
    if (!call.common.dryRun) await call.app.files.expectFolder((await call.app.files.real(path)) ?? path);
  }
  const missing = [...onDisk].filter(([, text]) => (text ?? "").trim() === "").map(([path]) => path);
  if (missing.length === 0) return await updateFleetFiles(call, onDisk, options);
  if (onDisk.size === 1) return await createFleetFiles(call, onDisk, options.showUrls);
  const rule = "does not exist, or is empty; specify only this file to create it";
  throw usageError(missing.map((path) => ({ where: path, rule })));
}

async function createFleetFiles(call: Call, onDisk: OnDisk, showUrls: boolean): Promise<View> {
  const [path = ""] = onDisk.keys();
  const live = await readLiveFleet((await call.session()).client, FLEET_NOUNS);
  await noteMissingInExport(call, live);
  const notation = /\.json$/i.test(path) ? "json" : "yaml";
  const document = call.app.secrets.masked(fleetDocument(live, { notation, showUrls }));
  const text = notation === "json" ? `${prettyJson(document)}\n` : await yamlFile(document);
  return await writeFleetFiles(call, onDisk, new Map([[path, text]]));
}

async function updateFleetFiles(call: Call, onDisk: OnDisk, options: Omit<ExportRequest, "files">): Promise<View> {
  const texts = [...onDisk].map(([path, text = ""]) => [path, text.replace(/^\ufeff/, "")] as const);
  const found = await updateFiles(call, new Map(texts), options);
  await noteMissingInExport(call, found.live);
  const plan = fileChanges(found);
  await writeLines(call, await planMessages(call, { plan, relayers: found.live.resources.relayers }));
  await noteRest(call, found);
  for (const secret of found.desired.resources.flatMap(({ fields }) => secretFieldsIn(fields)))
    if (hiddenIn(secret) === undefined) call.app.secrets.add(secret);
  return await writeFleetFiles(call, onDisk, found.texts);
}

async function noteRest(call: Call, found: UpdatedFiles): Promise<void> {
  for (const { place, path, ...resource } of found.kept)
    await call.say({
      note: `${sourcePlaceText(place)}: ${path} of ${plannedName(resource)} differs from the service; its reference stays`,
    });
  const count = differingInFolder(found);
  const networks = count === 1 ? "1 network differs" : `${count} networks differ`;
  if (count > 0)
    await call.say({ note: `${networks} from the service in a folder of networks, whose files stay as they are` });
}

async function writeFleetFiles(call: Call, onDisk: OnDisk, texts: ReadonlyMap<string, string>): Promise<View> {
  const changed = [...texts].flatMap(([path, text]) => {
    const before = onDisk.get(path);
    const after = (before?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "") + text;
    return after === before ? [] : [{ path, before, after }];
  });
  for (const path of texts.keys())
    if (!changed.some((file) => file.path === path)) await call.say(`${path} is up to date`);
  if (call.common.dryRun) {
    for (const { path } of changed) await call.say(`dry run: ${path} would have the text below`);
    return { kind: "text", text: changed.map(({ after }) => after).join("") };
  }
  const done: string[] = [];
  for (const { path, ...replacement } of changed) {
    await replaceFleetFile(call, path, replacement, done);
    await call.say(`${replacement.before === undefined ? "created" : "updated"} ${path}`);
    if (/\.json$/i.test(path) && replacement.after.includes('"${hidden:'))
      await call.say({ warning: `fill in the hidden values of ${path} before a service starts with it` });
    done.push(path);
  }
  return { kind: "nothing" };
}

async function replaceFleetFile(
  { app }: Call,
  path: string,
  replacement: { before: string | undefined; after: string },
  done: readonly string[],
): Promise<void> {
  try {
    if (app.interrupt.aborted) throw interruptedError(`; nothing was changed in ${path}`);
    await app.files.replace(path, {
      ...replacement,
      after: markMasked(replacement.after),
      maxBytes: MAX_FLEET_BYTES,
      unique: app.random.uuid(),
    });
  } catch (error) {
    if (!(error instanceof RelayctlError) || done.length === 0) throw error;
    throw error.with({ because: [`already updated: ${done.join(", ")}`] });
  }
}

/** Returns the changes of files in the form of a plan, from the files' values to the service's. */
function fileChanges({ desired, plan, kept, added, removed, texts }: UpdatedFiles): Plan {
  const updated = desired.resources.flatMap(({ noun, id, place }) => {
    const isRemoved = removed.some((name) => name.noun === noun && name.id === id);
    const members = texts.has(place.file) && !isRemoved ? swapMembers(plan, { noun, id }, kept) : [];
    return members.length === 0 ? [] : [buildChange("update", { noun, id }, members)];
  });
  const changes = [
    ...removed.map((name) => buildChange("delete", name)),
    ...updated,
    ...added.map((name) => buildChange("create", name)),
  ];
  return { ...plan, changes, cannot: [], outside: [], not_compared: [], unmanaged: [] };
}

function differingInFolder({ desired, plan, live, texts }: UpdatedFiles): number {
  const inFolder = desired.resources.filter(({ noun, place }) => noun === "networks" && !texts.has(place.file));
  const differing = inFolder.filter(
    (each) => !live.resources.networks.has(each.id) || swapMembers(plan, each, []).length > 0,
  );
  return differing.length;
}

function buildChange(
  action: PlannedChange["action"],
  { noun, id }: ResourceName,
  members: readonly PlannedMember[] = [],
): PlannedChange {
  return { action, noun, id, members, body: {}, effects: [], consent: "none", needs: [] };
}

function swapMembers({ changes, cannot, outside }: Plan, name: ResourceName, kept: readonly KeptValue[]) {
  const isIts = (other: ResourceName) => other.noun === name.noun && other.id === name.id;
  const updates = changes.filter((change) => isIts(change) && change.action === "update");
  const all = [...updates.flatMap(({ members }) => members), ...cannot.filter(isIts), ...outside.filter(isIts)];
  return all.flatMap(({ path, before = null, after = null }) => {
    const isKept = kept.some((value) => isIts(value) && `${value.path}.`.startsWith(`${path}.`));
    return path === undefined || isKept ? [] : [{ path, before: after, after: before }];
  });
}

export interface ExportRequest {
  /** The files to update; none to write to stdout. */
  files: readonly string[];
  showUrls: boolean;
  allowed: AllowedReferences;
}
