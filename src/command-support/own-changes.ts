import { compareWithResponse } from "../client/read-back/compare-with-response.ts";
import { type ApiRequest, type ApiResult, apiRequest } from "../client/request.ts";
import { isJsonObject, type JsonObject, objectIn, writeJson } from "../contract/json.ts";
import type { OperationId } from "../contract/operations.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { MASK } from "../contract/rpc-url.ts";
import { ifReadable, RelayctlError } from "../errors.ts";
import { appliedOf, type Journal, walkWrites } from "../journal/journal.ts";
import type { Page } from "../terminal/view.ts";
import { LONGEST_READ_LAG } from "../timing.ts";
import type { Call } from "./call.ts";

/** How often a resource is read that does not show its newest change. */
const MOST_READS = 3;

/** A resource's newest change from here, within seconds, which an instance of the service may not show yet. */
interface OwnChange {
  noun: string;
  id: string;
  request: ApiRequest;
}

type OwnChanges = ReadonlyMap<string, OwnChange>;

type Read<T extends JsonObject> = () => Promise<ApiResult<T>>;

/** A journal that cannot be read does not affect a read. */
async function readOwnChanges(call: Call, journal: Journal): Promise<OwnChanges> {
  return (await ifReadable(newestChanges(call, journal))) ?? new Map();
}

async function newestChanges(call: Call, journal: Journal): Promise<OwnChanges> {
  const { origin } = await call.session();
  const since = call.app.clock.now() - LONGEST_READ_LAG;
  const newest = new Map<string, OwnChange | undefined>();
  for await (const write of walkWrites(journal, since)) {
    const { operation, ids, body, server, time } = write.intent;
    if (server !== origin || receivedTime(time) < since || !/\.(?:create|update|delete)$/.test(operation)) continue;
    const [noun = ""] = operation.split(".");
    const [id = objectIn(body).id] = Object.values(ids);
    const key = `${noun}/${id}`;
    const applied = appliedOf(write);
    if (typeof id !== "string" || applied === "no" || newest.has(key)) continue;
    const request = apiRequest(operation as OperationId, ids, isJsonObject(body) ? visibleMembers(body) : undefined);
    newest.set(key, applied === "yes" ? { noun, id, request } : undefined);
  }
  return new Map([...newest].flatMap(([key, change]) => (change ? [[key, change]] : [])));
}

/** A masked value or a fingerprint is not compared: the journal has it otherwise than the service. */
function visibleMembers(body: JsonObject): JsonObject {
  const isHidden = (text: string) => text.includes(MASK) || text.includes('"hmac:');
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isHidden(writeJson(value))));
}

function missingChange({ request }: OwnChange, shown: JsonObject | undefined): string | undefined {
  if (request.operation.kind === "remove") return shown ? "its deletion" : undefined;
  if (!shown) return "the resource";
  const { different } = compareWithResponse(request, shown);
  return different.length === 0 ? undefined : different.map(({ path }) => path).join(", ");
}

async function noteLack(call: Call, change: OwnChange, lack: string): Promise<void> {
  const { noun, id } = change;
  await call.say({
    note: `${noun} ${id} was changed from here seconds ago, and the service does not show ${lack}; one of its instances may be behind`,
  });
}

/** Reads a resource, again while it lacks a recent change from here; then a note says so. */
export async function readWithOwnChanges<T extends JsonObject>(
  call: Call,
  journal: Journal,
  { operation, parameters = {} }: ApiRequest,
  read: Read<T>,
): Promise<ApiResult<T>> {
  const [noun] = operation.id.split(".");
  const change = (await readOwnChanges(call, journal)).get(`${noun}/${Object.values(parameters).join("/")}`);
  return change ? await readShowing(call, change, read) : await read();
}

async function readShowing<T extends JsonObject>(call: Call, change: OwnChange, read: Read<T>): Promise<ApiResult<T>> {
  for (let reads = 1; ; reads++) {
    const ended = await read().catch(requireMissing);
    const lack = missingChange(change, ended instanceof RelayctlError ? undefined : ended.data);
    if (lack !== undefined && reads < MOST_READS) continue;
    if (lack !== undefined) await noteLack(call, change, lack);
    if (ended instanceof RelayctlError) throw ended;
    return ended;
  }
}

function requireMissing(error: unknown): RelayctlError {
  if (error instanceof RelayctlError && error.failure === "not_found") return error;
  throw error;
}

export async function* pagesWithOwnChanges(
  call: Call,
  journal: Journal,
  noun: string,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  const changes = await readOwnChanges(call, journal);
  for await (const page of pages) {
    yield page;
    for (const item of page.items) {
      const change = changes.get(`${noun}/${item.id}`);
      const lack = change && missingChange(change, item);
      if (change && lack !== undefined) await noteLack(call, change, lack);
    }
  }
}

export async function refreshOwnChanges<Noun extends string>(
  call: Call,
  journal: Journal,
  lists: Record<Noun, ReadonlyMap<string, JsonObject>>,
  get: (noun: Noun, id: string) => Promise<ApiResult>,
): Promise<void> {
  for (const change of (await readOwnChanges(call, journal)).values()) {
    const { noun, id } = change;
    const list = lists[noun as Noun] as Map<string, JsonObject> | undefined;
    if (!list || missingChange(change, list.get(id)) === undefined) continue;
    const found = await readShowing(call, change, () => get(noun as Noun, id)).catch(requireMissing);
    if (found instanceof RelayctlError) list.delete(id);
    else list.set(id, found.data);
  }
}
