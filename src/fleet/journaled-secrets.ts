import { addToGroup } from "../contract/group-by.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonValueAt } from "../contract/json.ts";
import { isMaskedRpcUrl, maskRpcUrl, weightedRpcUrl } from "../contract/rpc-url.ts";
import { RelayctlError } from "../errors.ts";
import { type DoubtedMembers, doubtedMembers } from "../journal/doubted-members.ts";
import { appliedOf, type Intent, type Journal, type RecordedWrite, walkWrites } from "../journal/journal.ts";
import type { FleetNoun } from "./desired-fleet.ts";
import { isFingerprint } from "./fingerprint.ts";
import { type IsLastApplied, type KnownSecrets, NO_SECRETS } from "./known-secrets.ts";

/** The path parameter with the resource's ID, by noun. Plugins have no hidden values. */
const PARAMETERS: Readonly<Record<string, string>> = {
  relayers: "relayer_id",
  notifications: "notification_id",
  signers: "signer_id",
  networks: "network_id",
};

/**
 * Knows the hidden values that were last applied from here, by the fingerprints of the journal. The journal is read once,
 * newest first, only if a value has to be compared, and no further than needed.
 * @param open resolves to undefined if no journal is kept
 * @param server the origin of the service
 * @param now for changes that may still arrive, which don't matter without it
 */
export function journaledSecrets(
  open: () => Promise<Journal | undefined>,
  server: string,
  now?: () => number,
): KnownSecrets {
  let doubts: Promise<DoubtedMembers> | undefined;
  let opened: Promise<KnownSecrets> | undefined;
  // One after the other, since all continue at the same position of the journal.
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...(now && {
      async doubted(noun: FleetNoun, id: string) {
        doubts ??= open().then((journal) => (journal ? doubtedMembers(journal, server, now()) : () => []));
        return (await doubts)(noun, id);
      },
    }),
    lastApplied(noun, id, path) {
      opened ??= open().then((journal) => (journal ? secretsIn(journal, server) : NO_SECRETS));
      const known = opened;
      const found = last.then(async () => await (await known).lastApplied(noun, id, path));
      last = found.catch(() => {});
      return found;
    },
  };
}

function secretsIn(journal: Journal, server: string): KnownSecrets {
  const rest = walkWrites(journal, undefined, { mayRound: true });
  /** The writes so far that may decide about a value, newest first, by noun and ID. */
  const read = new Map<string, RecordedWrite[]>();
  async function* writesFor(key: string): AsyncGenerator<RecordedWrite> {
    for (let next = 0; ; next++) {
      while ((read.get(key)?.length ?? 0) <= next) {
        const { value, done } = await rest.next();
        if (done) return;
        keepNewest(value, server, read);
      }
      const write = read.get(key)?.[next];
      if (write) yield write;
    }
  }
  return {
    async lastApplied(noun, id, path) {
      try {
        for await (const write of writesFor(`${noun}/${id}`)) {
          const fingerprints = fingerprintsSet(write, path);
          if (fingerprints) return testFor(fingerprints, noun, journal);
        }
      } catch (error) {
        // Without a journal, nothing is known.
        if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
      }
      return undefined;
    },
  };
}

function keepNewest(write: RecordedWrite, server: string, read: Map<string, RecordedWrite[]>): void {
  const { intent } = write;
  const key = intent.server === server && appliedOf(write) !== "no" ? resourceKey(intent) : undefined;
  if (key === undefined || !mayDecide(intent)) return;
  addToGroup(read, key, write);
}

/** Returns the noun and the ID of a write's resource. The client adds a missing ID to a body before recording it. */
function resourceKey({ operation, ids, body }: Intent): string | undefined {
  const [noun = "", verb] = operation.split(".");
  const parameter = Object.hasOwn(PARAMETERS, noun) ? PARAMETERS[noun] : undefined;
  if (parameter === undefined || !["create", "update", "delete"].includes(verb ?? "")) return undefined;
  const id = verb === "create" && isJsonObject(body) ? body.id : ids[parameter];
  return typeof id === "string" ? `${noun}/${id}` : undefined;
}

/** Nearly all changes of a fleet are about members that the service returns, and need not be kept. */
function mayDecide({ operation, body }: Intent): boolean {
  if (!operation.endsWith(".update") || !isJsonObject(body)) return true;
  return ["signing_key", "custom_rpc_urls", "rpc_urls"].some((name) => Object.hasOwn(body, name));
}

/** Returns the fingerprints of a value that a write set; none if it leaves the value unknown, undefined to read earlier writes. */
function fingerprintsSet(write: RecordedWrite, path: string): readonly string[] | "in doubt" | undefined {
  const { operation, body, fingerprints } = write.intent;
  if (operation.endsWith(".delete") || !isJsonObject(body)) return [];
  const value = jsonValueAt(body, path.split("."));
  if (value === undefined && operation.endsWith(".update")) return undefined;
  if (appliedOf(write) !== "yes") return "in doubt";
  if (!Array.isArray(value)) return typeof value === "string" && isFingerprint(value) ? [value] : [];
  return urlFingerprints(value, path, fingerprints);
}

/** Returns none if a URL has no fingerprint: an earlier version recorded it. */
function urlFingerprints(list: readonly JsonValue[], path: string, known: JsonObject = {}): readonly string[] {
  const found = list.map((entry, index) => {
    const fingerprint = known[`${path}.${index}`];
    if (isFingerprint(fingerprint)) return fingerprint;
    const { url = "" } = weightedRpcUrl(entry) ?? {};
    return maskRpcUrl(url) === url && !isMaskedRpcUrl(url) ? "" : undefined;
  });
  return found.every((fingerprint) => fingerprint !== undefined) ? found : [];
}

/** While a write may or may not have been applied, each value differs, so that it is sent again; signers can't change. */
function testFor(
  fingerprints: readonly string[] | "in doubt",
  noun: FleetNoun,
  journal: Journal,
): IsLastApplied | undefined {
  if (fingerprints === "in doubt") return noun === "signers" ? undefined : async () => false;
  if (fingerprints.length === 0) return undefined;
  return async (secret) => fingerprints.includes(await journal.fingerprint(secret));
}
