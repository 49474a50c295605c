import type { Config } from "../../src/config/config.ts";
import { verifyWebhook, webhookSignature } from "../../src/contract/webhook/signature.ts";
import { savedPlanText } from "../../src/fleet/saved-references.ts";
import { type Proposal, proposalId, storedProposalText } from "../../src/proposals/proposal.ts";
import { VERSION } from "../../src/version.ts";
import { webhookRecordLine } from "../../src/webhooks/record.ts";
import { serviceWith, well } from "../commands/doctor/sick.ts";
import { intent, outcome } from "../commands/history/recorded.ts";
import { SERIALIZED } from "../contract/solana-transaction.ts";
import { fakeSignature } from "../helpers/fake-ssh-keygen.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { SERVER, TOKEN, type World } from "../helpers/test-app.ts";

/** Contexts of the embedded server, for commands that ignore `--demo`. */
const CONTEXTS: Config = {
  version: 1,
  current: "default",
  contexts: {
    default: { server: SERVER, token: TOKEN },
    prod: { server: "https://relayer.example.org", token: TOKEN },
    staging: { server: "https://staging.example.org", token: TOKEN },
  },
};

const STORED: World = { config: CONTEXTS };

/** A store without an entry, which keeps what is put into it until it is read. */
function keepingOneToken(): NonNullable<World["execute"]> {
  let kept: string | undefined;
  return async ([program], { input }) => {
    if (input !== undefined) {
      kept = input;
      return { stdout: "" };
    }
    const stdout = kept ?? "";
    const isMissing = kept === undefined;
    kept = undefined;
    const stderr = `Error: the entry of ${program} is not in the password store.`;
    return isMissing ? { stdout, stderr, status: 1, problem: "it ended with status 1" } : { stdout };
  };
}

const TREASURY = "0x52908400098527886e0f7030069857d2e4169ee7";
const LABELED: World = { config: { version: 1, contexts: {}, labels: { evm: { treasury: TREASURY } } } };
const TOPPED_UP: World = {
  config: {
    ...{ version: 1, contexts: {} },
    labels: { evm: { ops: TREASURY, payouts: "0x90f79bf6eb2c4f870365e785982e1f101e93b906" } },
  },
};
const LABEL_FILES = {
  "labels.json": `{"treasury":"${TREASURY}"}`,
  "labels.csv": `name,address\ntreasury,${TREASURY}\n`,
};

const RUN = "3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f";
const RECORDED: World = {
  ...STORED,
  journal: memoryJournal({ entries: [intent("a", { run: RUN }), outcome("a", { run: RUN })] }),
};

const HOOK = `{"id":"audit-log","type":"webhook","url":"https://audit.example.org/relayer-events"}`;
const CONFIG = `{"notifications":[${HOOK}],"relayers":[],"signers":[]}`;
const FLEET = {
  "config.json": CONFIG,
  "config/config.json": CONFIG,
  "config/more.json": `{"notifications":[]}`,
  "config/networks/solana.json": `{"networks":[{"type":"solana","network":"n","rpc_urls":["https://n.example.org"]}]}`,
};

/** A plan without changes. */
const SAVED = savedPlanText({
  plan: {
    ...{ format: 1, relayctl: VERSION, server: "http://demo.localhost", created_at: "2026-11-21T03:12:07.000Z" },
    ...{ files: ["config.json"], changes: [], cannot: [], not_compared: [], outside: [], unmanaged: [], same: 1 },
  },
  managed: [],
  salt: "salt",
  references: new Map(),
});

const DEMO = { server: "http://demo.localhost", context: "demo" };
/** A run that gave a relayer of the embedded server its present name. Each use needs a journal in which it is not undone. */
const renamed = (): World => ({
  journal: memoryJournal({
    entries: [
      intent("a", { ...DEMO, run: RUN, body: { name: "Base hot" }, before: { id: "base-hot", name: "Base" } }),
      outcome("a", { run: RUN, after: { id: "base-hot", name: "Base hot" } }),
    ],
  }),
});

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const PAYMENT = `[{"type":"payment","destination":"${ACCOUNT}","amount":"10000000","asset":{"type":"native"}}]`;
const SPONSORED_STELLAR = `{"operations":${PAYMENT},"source_account":"${ACCOUNT}","fee_token":"native"}`;
const SPONSORED_SOLANA = `{"transaction":"${SERIALIZED}","fee_token":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}`;

/** A notification that somebody proposed to the demo. */
const PROPOSED: Proposal = {
  ...{ version: 1, nonce: "1", context: "demo", server: "http://demo.localhost", limits: "{}" },
  ...{ method: "POST", target: "/api/v1/notifications" },
  body: '{"id":"audit","type":"webhook","url":"https://audit.example.org/events"}',
  ...{ command: "relayctl notifications create audit --demo", user: "ada", host: "console" },
  ...{ time: "2026-11-21T03:12:07.000Z", expires: "2026-11-21T03:22:07.000Z" },
};
const proposed = (): World => {
  const text = storedProposalText({ proposal: PROPOSED, signatures: [] });
  return {
    ...{ terminal: true, answers: [true], files: { "cap.json": text } },
    proposals: new Map([[`${proposalId(PROPOSED)}.json`, text]]),
  };
};

const signsAll: World["execute"] = async () => ({ stdout: fakeSignature("KEYbob", ""), status: 0 });

/** A delivery with its key. The examples' signature matches the body. */
const SIGNED: World = {
  files: { "signing.key": "k".repeat(32), "new.key": "n".repeat(32), "old.key": "k".repeat(32), "body.json": "{}" },
};

const FAILED =
  '{"id":"1","event":"transaction_update","payload":{"payload_type":"transaction","id":"2","status":"failed"},"timestamp":"2026-08-20T10:00:00+00:00"}';

/** A receiver of what is signed with the key, and a record of such a delivery. */
const RECEIVER: World = {
  files: {
    ...SIGNED.files,
    "deliveries.ndjson": webhookRecordLine({
      receivedAt: "2026-08-20T10:00:00.000Z",
      method: "POST",
      path: "/",
      headers: { "x-signature": webhookSignature("k".repeat(32), FAILED) },
      body: new TextEncoder().encode(FAILED),
      accepted: true,
    }),
  },
  nodes: {
    "http://127.0.0.1:8080": async ({ headers, bytes = new Uint8Array() }) => ({
      status: verifyWebhook(bytes, headers["x-signature"], "k".repeat(32)).verified ? 204 : 401,
      headers: {},
      body: new Uint8Array(),
    }),
  },
};

/**
 * Surroundings by command or example: files, entered responses, stored contexts. All other examples only need `--demo`.
 */
export const SURROUNDINGS: Readonly<Record<string, World>> = {
  doctor: { store: serviceWith([well({ id: "eth-main-1" }), well({ id: "base-hot" })]) },
  plan: { files: FLEET },
  get propose() {
    return { created: new Map() };
  },
  mcp: { stdin: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}\n' },
  get "relayctl approve addd96f9"() {
    return proposed();
  },
  get "relayctl approve cap.json"() {
    return proposed();
  },
  get "relayctl approve cap.json --sign"() {
    return { ...proposed(), user: "bob", execute: signsAll, env: { HOME: "/home/bob" } };
  },
  validate: { files: { ...FLEET, "config.json": CONFIG.replace(/https:[^"]*/, "") } },
  drift: { files: FLEET },
  apply: { files: { ...FLEET, "plan.json": SAVED } },
  "relayctl apply -f config.json": { files: FLEET, terminal: true },
  api: { files: { "body.json": '{"paused":true}' } },
  "auth login": { ...STORED, files: { "token.txt": TOKEN } },
  "relayctl auth login": { ...STORED, terminal: true, answers: [SERVER, TOKEN] },
  "relayctl auth login --context prod --server https://relayer.example.org --store pass": {
    ...STORED,
    terminal: true,
    answers: [TOKEN],
    execute: keepingOneToken(),
  },
  "relayctl relayers edit xlm-treasury --editor": { terminal: true, edits: [(text) => text] },
  "label import": { files: LABEL_FILES, stdin: LABEL_FILES["labels.json"] },
  "label set": LABELED,
  "label delete": LABELED,
  "notifications rotate-key": { files: { "new.key": "n".repeat(40), "old.key": "o".repeat(40) } },
  get "relayctl notifications rotate-key ops-hook --generate --key-out new.key"(): World {
    return { terminal: true, created: new Map(), answers: [true] };
  },
  get "relayctl signers create --type plain --id hot-2 --generate --key-out hot-2.key"(): World {
    return { created: new Map() };
  },
  "auth logout": STORED,
  "auth status": STORED,
  "auth token": STORED,
  get undo() {
    return renamed();
  },
  get "relayctl undo"(): World {
    return { ...renamed(), terminal: true, answers: [true] };
  },
  "history list": RECORDED,
  "history show": RECORDED,
  "history verify": RECORDED,
  "context list": STORED,
  "context show": STORED,
  "context use": STORED,
  "context set": STORED,
  "context delete": STORED,
  "context trust": {
    projectFile: {
      find: async () => ({
        ...{ path: "/fleet/.relayctl.json", context: "prod", files: [], labels: [] },
        ...{ trust: "new", remember: async () => {} },
      }),
      forget: async () => ({ path: "/fleet/.relayctl.json", wasTrusted: true }),
    },
  },
  "relayctl context delete staging": { ...STORED, terminal: true, answers: [true] },
  "relayers edit": { terminal: true, answers: [[]] },
  "relayers rpc": {
    files: { "request.json": '{"method":"eth_gasPrice","params":[]}' },
  },
  "relayers sign": { files: { "terms.txt": "I agree" } },
  "relayers sign-typed-data": {
    files: { "hashes.json": `{"domain_separator":"${"11".repeat(32)}","hash_struct_message":"${"22".repeat(32)}"}` },
  },
  "relayers sign-transaction": { files: { "payment.xdr": btoa("\0\0\0\u0002\0\0\0\0") } },
  "signers create": {
    files: { "key.txt": "5f".repeat(32), role: "a-role-id-of-vault", secret: "a-secret-id-of-vault" },
  },
  "webhooks listen": {
    ...SIGNED,
    appended: [],
    receive: async (receiver) => {
      await receiver.listening(8787);
      const body = new TextEncoder().encode('{"id":"1","payload":{"status":"confirmed"}}');
      await receiver.respond({ method: "POST", target: "/", headers: {}, body });
    },
  },
  "webhooks verify": SIGNED,
  top: { terminal: true },
  "webhooks sign": SIGNED,
  "webhooks test": RECEIVER,
  "webhooks replay": RECEIVER,
  "plugins update": { files: { "config.json": '{"network":"mainnet"}' } },
  "plugins call": { files: { "params.json": '{"params":{"amount":12345678901234567890}}' } },
  "tx replace": { ...LABELED, files: { "payment.json": PAYMENT } },
  "tx send": { ...LABELED, files: { "payment.json": PAYMENT } },
  "tx send-many": {
    files: { "payouts.csv": `to,value\n${TREASURY},0.01eth\n0x90f79bf6eb2c4f870365e785982e1f101e93b906,0.02eth\n` },
  },
  topup: TOPPED_UP,
  "relayctl topup @ops @payouts --from base-hot --to-balance 0.04eth --below 0.02eth": {
    ...TOPPED_UP,
    ...{ terminal: true, answers: [true] },
  },
  "tx wait": { stdin: "eth-main-1/0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60\n" },
  "tx quote": { files: { "sponsored.json": SPONSORED_STELLAR } },
  "tx build": { files: { "sponsored.json": SPONSORED_SOLANA } },
  get tour() {
    return { terminal: true, answers: ["quit"], created: new Map() };
  },
  serve: { files: { "token.txt": "a-token-of-one-s-own-0123456789abcdef" } },
};
