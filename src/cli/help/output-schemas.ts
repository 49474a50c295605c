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

const outputShape = (schema: string, ...forms: Form[]): OutputShape[] => forms.map((form) => ({ schema, form }));

const CHANGED_RELAYERS = outputShape("relayer", "one", "list");
const WRITTEN_TRANSACTION = [...outputShape("transaction", "one"), ...outputShape("wait-event", "events")];
const WRITTEN_TRANSACTIONS = [...outputShape("transaction", "one", "list"), ...outputShape("wait-event", "events")];
const ANYTHING = outputShape("anything", "one");

/** What the verbs of a resource print, which is named as their noun in the singular. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  list: ["list"],
  get: ["one", "list"],
  create: ["one"],
  update: ["one"],
};

const OUTPUTS: Readonly<Record<string, readonly OutputShape[]>> = {
  "relayers list": [...outputShape("relayer", "list"), ...outputShape("relayer-event", "events")],
  "relayers update": CHANGED_RELAYERS,
  "relayers edit": outputShape("relayer", "one"),
  "relayers pause": CHANGED_RELAYERS,
  "relayers resume": CHANGED_RELAYERS,
  "relayers freeze": outputShape("frozen-relayer", "list"),
  "relayers clone": outputShape("relayer", "one"),
  "relayers delete": outputShape("deleted", "one"),
  "relayers status": [...outputShape("status", "list"), ...outputShape("status-event", "events")],
  "relayers guard": outputShape("guard-event", "events"),
  "relayers unstick": outputShape("unstick", "one"),
  "relayers balance": outputShape("balance", "one", "list"),
  "relayers rpc": ANYTHING,
  "relayers sign": outputShape("signature", "one"),
  "relayers sign-typed-data": outputShape("signature", "one"),
  "relayers sign-transaction": outputShape("signed-transaction", "one"),
  "tx list": [...outputShape("transaction", "list"), ...outputShape("transaction-event", "events")],
  "tx get": WRITTEN_TRANSACTIONS,
  "tx stuck": outputShape("stuck-transaction", "list"),
  "tx wait": [...outputShape("wait", "list"), ...outputShape("wait-event", "events")],
  "tx send": WRITTEN_TRANSACTION,
  "tx send-many": outputShape("payment", "list"),
  "tx replace": WRITTEN_TRANSACTION,
  "tx bump": WRITTEN_TRANSACTIONS,
  "tx cancel": WRITTEN_TRANSACTION,
  "tx cancel-pending": WRITTEN_TRANSACTIONS,
  "tx quote": outputShape("quote", "one"),
  "tx build": outputShape("built-transaction", "one"),
  topup: outputShape("top-up", "list"),
  "notifications rotate-key": outputShape("notification", "one"),
  "notifications delete": outputShape("deleted", "one"),
  "webhooks listen": outputShape("received-event", "events"),
  "webhooks events": [...outputShape("event-kind", "list"), ...outputShape("webhook-event", "one")],
  "webhooks verify": outputShape("signature-check", "one"),
  "webhooks sign": [],
  "webhooks replay": outputShape("replayed-delivery", "list"),
  "webhooks test": outputShape("receiver-check", "one"),
  "signers delete": outputShape("deleted", "one"),
  "plugins call": ANYTHING,
  "server health": outputShape("health", "one"),
  "server ready": outputShape("readiness", "one"),
  "server metrics": outputShape("metrics", "one"),
  alerts: ANYTHING,
  doctor: outputShape("doctor", "one"),
  find: outputShape("match", "list"),
  audit: outputShape("audited-nonce", "list"),
  spend: [...outputShape("spend", "list"), ...outputShape("costs", "list")],
  export: outputShape("fleet", "one"),
  "history list": outputShape("write", "list"),
  "history show": outputShape("run", "one"),
  "history settle": outputShape("settled-write", "list"),
  "history verify": outputShape("verification", "one"),
  undo: [
    ...outputShape("relayer", "one", "list"),
    ...["notification", "network", "plugin"].flatMap((each) => outputShape(each, "one")),
  ],
  plan: [...outputShape("plan", "one"), ...outputShape("difference", "events")],
  apply: outputShape("applied-change", "list"),
  drift: [...outputShape("plan", "one"), ...outputShape("difference", "events")],
  validate: outputShape("finding", "list"),
  api: ANYTHING,
  propose: outputShape("proposal", "one"),
  approve: ANYTHING,
  mcp: [],
  top: [],
  "auth login": [],
  "auth logout": [],
  "auth status": outputShape("identity", "one"),
  "auth token": [],
  "context list": outputShape("context", "list"),
  "context show": outputShape("settings", "one"),
  "context use": [],
  "context set": [],
  "context delete": [],
  "context trust": [],
  "label list": outputShape("label", "list"),
  "label set": [],
  "label delete": [],
  "label import": [],
  serve: [],
  tour: [],
  drill: outputShape("drill", "one"),
  "demo reset": [],
  version: outputShape("version", "one"),
  completion: [],
};

export function outputShapesOf(path: string): readonly OutputShape[] {
  const [noun = "", verb = ""] = path.split(" ");
  const shapes = OUTPUTS[path] ?? FORMS[verb]?.flatMap((form) => outputShape(noun.replace(/s$/, ""), form));
  if (!shapes) throw new Error(`${path} has no shapes of its output`);
  return shapes;
}
