import { FIXES } from "../../../src/fleet/config/file-report.ts";
import { FLEET_NOUNS } from "../../../src/fleet/desired-fleet.ts";
import { anything, closed, count, flag, list, type Members, open, orNull, text, texts, time, word } from "./schema.ts";

const RESOURCE: Members = {
  noun: word("The kind of resource.", FLEET_NOUNS),
  id: text("The ID; for a network its type and name, e.g. evm:sepolia."),
};
const AT: Members = {
  at: text("The place in the file, e.g. config.json:12:5; absent if no file describes it."),
};
const VALUES: Members = {
  before: anything("The value of the service; null if it is not set. RPC URLs are masked."),
  after: anything(`The value of the files; null if they do not set it. A secret is a reference, e.g. \${env:NAME}.`),
};
const PATH: Members = { path: text("The member, e.g. policies.gas_price_cap.") };
const REASON: Members = { reason: text("Why, in words.") };

const MEMBER = closed(
  "A member that changes.",
  { ...PATH, ...VALUES },
  {
    default: anything("The service's default, which applies if the value is not set."),
    ...AT,
  },
);

const CHANGE = closed(
  "A request, and what it does.",
  {
    ...RESOURCE,
    action: word("What the request does.", ["create", "update", "delete"]),
    members: list("The members that change; of a new resource, each that is set. Empty for a deletion.", MEMBER),
    body: open("The body of the request, with references in place of secrets."),
    effects: texts("What the request does beyond its members, in words."),
    consent: word("The confirmation that the request needs by itself: none, a yes, or typing its ID.", [
      "none",
      "yes",
      "id",
    ]),
    needs: texts("The changes that must come first, e.g. signers/kms-1."),
  },
  { ...AT, disabled: flag("Set if the service has disabled the relayer, and refuses changes for now.") },
);

/** What `plan -o json` prints. */
export const PLAN = closed(
  "How a service differs from files, and the requests that would change it. It contains no secret.",
  {
    format: count("The version of this format: 1."),
    relayctl: text("The version of relayctl."),
    server: text("The origin of the service."),
    created_at: time("When the service was read"),
    files: texts("The files, as typed."),
    changes: list("The changes, in the order in which they are applied.", CHANGE),
    cannot: list(
      "The differences that no request can change.",
      closed("A difference that no request can change.", { ...RESOURCE, ...PATH, ...VALUES, ...REASON }, AT),
    ),
    not_compared: list(
      "The values that the service does not return, so that it is not known whether they differ.",
      closed("A value that was not compared.", { ...RESOURCE, ...PATH, ...REASON }, AT),
    ),
    outside: list(
      "The differences that are not part of the API, e.g. of a keystore.",
      closed("A difference that is not part of the API.", { ...RESOURCE, ...REASON }, { ...PATH, ...VALUES, ...AT }),
    ),
    unmanaged: list(
      "The resources of the service that the files do not describe, if they could be deleted.",
      closed("A resource that the files do not describe.", RESOURCE, AT),
    ),
    same: count("The number of resources that are as the files describe them."),
  },
);

/** A row of a plan: what `plan -o ndjson` prints. */
export const DIFFERENCE = closed("A difference between a service and files: one member, or a resource to delete.", {
  action: word("What a plan does about it.", ["create", "update", "delete", "cannot"]),
  ...RESOURCE,
  path: { ...PATH.path, type: ["string", "null"], description: "The member; null for a whole resource." },
  ...VALUES,
  at: { type: ["string", "null"], description: "The place in the file, e.g. config.json:12:5; null if there is none." },
  reason: { type: ["string", "null"], description: "Why no request can change it; null for a change." },
});

/** What `validate` prints. */
export const FINDING = closed("Something in the files of a fleet that is wrong, unfinished, or worth a warning.", {
  file: text("The file, as typed, or relative to the file that refers to it."),
  line: orNull(count("The line; null if the file could not be read.")),
  path: text("The member, dotted, e.g. signers.0.config.region; empty for the whole file."),
  severity: word("Whether a file would be refused (error), is doubtful (warning), or is unfinished (note).", [
    "error",
    "warning",
    "note",
  ]),
  code: word("The kind of finding.", Object.keys(FIXES)),
  message: text("What is wrong."),
  fix: text("What to do."),
});
