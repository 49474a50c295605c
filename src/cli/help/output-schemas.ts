/**
 * A shape of data output: `one` is a value, and `list` an array with `-o json`; with `-o ndjson` both have one value
 * per line. `events` are lines of `-o ndjson`, printed as things change.
 */
export interface OutputShape {
  /** The name of a file in docs/schemas. */
  schema: string;
  form: "one" | "list" | "events";
}

type Form = OutputShape["form"];

const shape = (schema: string, ...forms: Form[]): OutputShape[] => forms.map((form) => ({ schema, form }));

const CHANGED_RELAYERS = shape("relayer", "one", "list");
const WRITTEN_TRANSACTION = [...shape("transaction", "one"), ...shape("wait-event", "events")];
const WRITTEN_TRANSACTIONS = [...shape("transaction", "one", "list"), ...shape("wait-event", "events")];
const ANYTHING = shape("anything", "one");

/** What the verbs of a resource print, which is named as their noun in the singular. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  list: ["list"],
  get: ["one", "list"],
  create: ["one"],
  update: ["one"],
};

const OUTPUTS: Readonly<Record<string, readonly OutputShape[]>> = {
  "relayers list": [...shape("relayer", "list"), ...shape("relayer-event", "events")],
  "relayers update": CHANGED_RELAYERS,
  "relayers edit": shape("relayer", "one"),
  "relayers pause": CHANGED_RELAYERS,
  "relayers resume": CHANGED_RELAYERS,
  "relayers freeze": shape("frozen-relayer", "list"),
  "relayers clone": shape("relayer", "one"),
  "relayers delete": shape("deleted", "one"),
  "relayers status": [...shape("status", "list"), ...shape("status-event", "events")],
  "relayers guard": shape("guard-event", "events"),
  "relayers unstick": shape("unstick", "one"),
  "relayers balance": shape("balance", "one", "list"),
  "relayers rpc": ANYTHING,
  "relayers sign": shape("signature", "one"),
  "relayers sign-typed-data": shape("signature", "one"),
  "relayers sign-transaction": shape("signed-transaction", "one"),
  "tx list": [...shape("transaction", "list"), ...shape("transaction-event", "events")],
  "tx get": WRITTEN_TRANSACTIONS,
  "tx stuck": shape("stuck-transaction", "list"),
  "tx wait": [...shape("wait", "list"), ...shape("wait-event", "events")],
  "tx send": WRITTEN_TRANSACTION,
  "tx send-many": shape("payment", "list"),
  "tx replace": WRITTEN_TRANSACTION,
  "tx bump": WRITTEN_TRANSACTIONS,
  "tx cancel": WRITTEN_TRANSACTION,
  "tx cancel-pending": WRITTEN_TRANSACTIONS,
  "tx quote": shape("quote", "one"),
  "tx build": shape("built-transaction", "one"),
  topup: shape("top-up", "list"),
  "notifications rotate-key": shape("notification", "one"),
  "notifications delete": shape("deleted", "one"),
  "webhooks listen": shape("received-event", "events"),
  "webhooks events": [...shape("event-kind", "list"), ...shape("webhook-event", "one")],
  "webhooks verify": shape("signature-check", "one"),
  "webhooks sign": [],
  "webhooks replay": shape("replayed-delivery", "list"),
  "webhooks test": shape("receiver-check", "one"),
  "signers delete": shape("deleted", "one"),
  "plugins call": ANYTHING,
  "server health": shape("health", "one"),
  "server ready": shape("readiness", "one"),
  "server metrics": shape("metrics", "one"),
  alerts: ANYTHING,
  doctor: shape("doctor", "one"),
  find: shape("match", "list"),
  audit: shape("audited-nonce", "list"),
  spend: [...shape("spend", "list"), ...shape("costs", "list")],
  export: shape("fleet", "one"),
  "history list": shape("write", "list"),
  "history show": shape("run", "one"),
  "history settle": shape("settled-write", "list"),
  "history verify": shape("verification", "one"),
  undo: [
    ...shape("relayer", "one", "list"),
    ...["notification", "network", "plugin"].flatMap((each) => shape(each, "one")),
  ],
  plan: [...shape("plan", "one"), ...shape("difference", "events")],
  apply: shape("applied-change", "list"),
  drift: [...shape("plan", "one"), ...shape("difference", "events")],
  validate: shape("finding", "list"),
  api: ANYTHING,
  propose: shape("proposal", "one"),
  approve: ANYTHING,
  mcp: [],
  top: [],
  "auth login": [],
  "auth logout": [],
  "auth status": shape("identity", "one"),
  "auth token": [],
  "context list": shape("context", "list"),
  "context show": shape("settings", "one"),
  "context use": [],
  "context set": [],
  "context delete": [],
  "context trust": [],
  "label list": shape("label", "list"),
  "label set": [],
  "label delete": [],
  "label import": [],
  serve: [],
  tour: [],
  drill: shape("drill", "one"),
  "demo reset": [],
  version: shape("version", "one"),
  completion: [],
};

export function outputShapesOf(path: string): readonly OutputShape[] {
  const [noun = "", verb = ""] = path.split(" ");
  const shapes = OUTPUTS[path] ?? FORMS[verb]?.flatMap((form) => shape(noun.replace(/s$/, ""), form));
  if (!shapes) throw new Error(`${path} has no shapes of its output`);
  return shapes;
}
