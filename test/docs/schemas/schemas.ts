import { APPLIED_CHANGE } from "./apply.ts";
import { ERROR } from "./errors.ts";
import { FLEET } from "./exported-fleet.ts";
import { DIFFERENCE, FINDING, PLAN } from "./fleet.ts";
import { HELP } from "./help.ts";
import {
  AUDITED_NONCE,
  CONTEXT,
  COSTS,
  DOCTOR,
  DRILL,
  IDENTITY_CHECK,
  LABEL,
  PROPOSAL,
  RUN,
  SETTINGS,
  SETTLED,
  SPEND,
  VERIFICATION,
  VERSION,
  WRITE,
} from "./local.ts";
import { GUARD_EVENT, PAYMENT, TOP_UP } from "./payments.ts";
import { NETWORK, NOTIFICATION, PLUGIN, RELAYER, SIGNER, TRANSACTION } from "./resources.ts";
import {
  BALANCE,
  DELETED,
  FROZEN,
  MATCH,
  RELAYER_EVENT,
  STATUS,
  STATUS_EVENT,
  STUCK,
  TRANSACTION_EVENT,
  UNSTICK,
  WAIT,
  WAIT_EVENT,
} from "./results.ts";
import { file, type Schema } from "./schema.ts";
import { ANYTHING, BUILT, HEALTH, METRICS, QUOTE, READINESS, SIGNATURE, SIGNED } from "./service.ts";
import { EVENT_KIND, RECEIVED_EVENT, RECEIVER_CHECK, REPLAYED, SIGNATURE_CHECK, WEBHOOK_EVENT } from "./webhooks.ts";

export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries({
    anything: ANYTHING,
    "applied-change": APPLIED_CHANGE,
    balance: BALANCE,
    "built-transaction": BUILT,
    context: CONTEXT,
    "audited-nonce": AUDITED_NONCE,
    costs: COSTS,
    spend: SPEND,
    deleted: DELETED,
    difference: DIFFERENCE,
    doctor: DOCTOR,
    drill: DRILL,
    error: ERROR,
    "event-kind": EVENT_KIND,
    finding: FINDING,
    fleet: FLEET,
    "frozen-relayer": FROZEN,
    health: HEALTH,
    help: HELP,
    identity: IDENTITY_CHECK,
    label: LABEL,
    match: MATCH,
    metrics: METRICS,
    network: NETWORK,
    notification: NOTIFICATION,
    payment: PAYMENT,
    "top-up": TOP_UP,
    plan: PLAN,
    plugin: PLUGIN,
    proposal: PROPOSAL,
    quote: QUOTE,
    readiness: READINESS,
    "receiver-check": RECEIVER_CHECK,
    "received-event": RECEIVED_EVENT,
    relayer: RELAYER,
    "relayer-event": RELAYER_EVENT,
    "guard-event": GUARD_EVENT,
    "replayed-delivery": REPLAYED,
    run: RUN,
    settings: SETTINGS,
    "settled-write": SETTLED,
    signature: SIGNATURE,
    "signature-check": SIGNATURE_CHECK,
    "signed-transaction": SIGNED,
    signer: SIGNER,
    status: STATUS,
    "status-event": STATUS_EVENT,
    "stuck-transaction": STUCK,
    transaction: TRANSACTION,
    "transaction-event": TRANSACTION_EVENT,
    unstick: UNSTICK,
    verification: VERIFICATION,
    version: VERSION,
    wait: WAIT,
    "webhook-event": WEBHOOK_EVENT,
    "wait-event": WAIT_EVENT,
    write: WRITE,
  }).map(([name, schema]) => [name, file(name.replaceAll("-", " "), schema)]),
);

export function schemaNamed(name: string): Schema {
  const schema = SCHEMAS[name];
  if (!schema) throw new Error(`docs/schemas/${name}.json does not exist`);
  return schema;
}
