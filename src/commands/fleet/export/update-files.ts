import type { JsonObject } from "../../../contract/json.ts";
import { RPC_URL_FIELDS } from "../../../contract/rpc-url.ts";
import { compareFleets } from "../../../fleet/compare/compare-fleets.ts";
import { readFleet } from "../../../fleet/config/read-fleet.ts";
import { type DesiredFleet, FLEET_NOUNS } from "../../../fleet/desired.ts";
import { type UpdatedTexts, updatedTexts } from "../../../fleet/export/in-place/update-texts.ts";
import { type LiveFleet, readLiveFor } from "../../../fleet/live.ts";
import type { Plan } from "../../../fleet/plan.ts";
import { placeText } from "../../../fleet/source/place.ts";
import type { FleetSources } from "../../../fleet/sources.ts";
import { yamlText } from "../../../terminal/formats/yaml.ts";
import type { Call } from "../../command.ts";
import { journaledSecrets } from "../known-secrets.ts";
import { fleetSources } from "../sources.ts";
import type { ExportRequest } from "./export-request.ts";

/** Files that describe a service now, and how they differed before. */
export interface UpdatedFiles extends UpdatedTexts {
  desired: DesiredFleet;
  live: LiveFleet;
  plan: Plan;
}

/** A member can depend on another one that changes, e.g. the policies of a relayer on its kind. */
const ROUNDS = 3;

/**
 * Compares files with the service, and returns their texts with the values of the service.
 * @param before the texts, by path
 * @throws RelayctlError usage, with every problem of every file, before anything is sent
 */
export async function updateFiles(
  call: Call,
  before: ReadonlyMap<string, string>,
  { showUrls, allowed }: Omit<ExportRequest, "files">,
): Promise<UpdatedFiles> {
  const read = (texts: ReadonlyMap<string, string>) =>
    readFleet([...texts.keys()], withTexts(fleetSources(call.app, allowed), texts));
  const first = await read(before);
  for (const { place, text } of first.warnings) await call.say(`warning: ${placeText(place)}: ${text}`);
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

/** Returns the resources without secrets that a service quotes, apart from RPC URLs, which the files may have. */
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

/** Returns sources in which files have other texts. */
function withTexts(sources: FleetSources, texts: ReadonlyMap<string, string>): FleetSources {
  return {
    ...sources,
    read: async (path) => texts.get(path) ?? (await sources.read(path)),
    readReferenced: async (path, from) => texts.get(path) ?? (await sources.readReferenced(path, from)),
  };
}
