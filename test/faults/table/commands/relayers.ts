import { type Command, row } from "../command.ts";

const ALL = ["evm-1", "evm-2", "evm-3", "sol-1", "xlm-1"];
const MAX_U128 = "340282366920938463463374607431768211455";
const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

const reads: Command[] = [
  { name: "relayers list", line: "relayers list" },
  { name: "relayers list in pages", line: "relayers list --per-page 2" },
  { name: "relayers list one page", line: "relayers list --page 1" },
  { name: "relayers status", line: "relayers status" },
].map(({ name, line }) => row(line, "GET /relayers", { name, item: "relayers", list: true, shows: ALL }));

const get = row("relayers get evm-1", "GET /relayers/evm-1", { shows: ["evm-1"] });

const updates: Command[] = [
  { name: "name", flags: ["--name", "New name"], bodies: ['{"name":"New name"}'] },
  {
    name: "name with --diff",
    flags: ["--name", "New name", "--diff"],
    bodies: ['{"name":"New name"}'],
    readsFirst: true,
  },
  { name: "notification unset", flags: ["--no-notification-id"], bodies: ['{"notification_id":null}'] },
  {
    name: "a policy of a kind that is looked up",
    flags: ["--policy", "min_balance=0.1eth"],
    bodies: ['{"policies":{"min_balance":100000000000000000}}'],
    readsFirst: true,
  },
  {
    name: "the largest amount",
    flags: ["--policy", `min_balance=${MAX_U128}`, "--network-type", "evm"],
    bodies: [`{"policies":{"min_balance":${MAX_U128}}}`, `{"policies":{"min_balance":"${MAX_U128}"}}`],
  },
  {
    name: "RPC URLs",
    flags: ["--rpc-url", "https://rpc.example.org/new-key,weight=50"],
    bodies: ['{"custom_rpc_urls":[{"url":"https://rpc.example.org/new-key","weight":50}]}'],
    provable: ({ name }: { name: string }) => name === "interface",
  },
  {
    name: "a file",
    flags: ["-f", "body.json"],
    files: { "body.json": '{"name":"From a file","paused":true}' },
    bodies: ['{"name":"From a file","paused":true}'],
  },
].map(
  ({ name, flags, ...more }) =>
    ({
      provable: true,
      ...more,
      name: `relayers update: ${name}`,
      argv: ["relayers", "update", "evm-1", ...flags],
      request: { method: "PATCH", path: "/api/v1/relayers/evm-1" },
      kind: "patch",
      item: "evm-1",
    }) as Command,
);

const switches: Command[] = [
  { verb: "pause", id: "evm-1", flags: [], paused: true },
  { verb: "pause", id: "evm-1", flags: ["--diff"], paused: true },
  { verb: "resume", id: "evm-2", flags: [], paused: false },
].map(({ verb, id, flags, paused }) => ({
  name: `relayers ${[verb, ...flags].join(" ")}`,
  argv: ["relayers", verb, id, ...flags],
  request: { method: "PATCH", path: `/api/v1/relayers/${id}` },
  kind: "patch",
  bodies: [`{"paused":${paused}}`],
  item: id,
  provable: true,
  ...(flags.length > 0 && { readsFirst: true as const }),
}));

/** Of a relayer without transactions, so that the pause is the only request. */
const freeze = row("relayers freeze evm-3 --yes", "PATCH /relayers/evm-3", {
  ...{ kind: "patch", bodies: ['{"paused":true}'], provable: true, readsFirst: true, outwaits: true },
});

/** The deadline ends it before it measures again. */
const GUARD = "relayers guard evm-1 --pause-if balance<20000000000000000000000wei --yes --deadline 30s";
const guard = row(GUARD, "PATCH /relayers/evm-1", {
  ...{ kind: "patch", bodies: ['{"paused":true}'], provable: true, readsFirst: true, reports: true, passes: true },
  ...{ alerts: true, format: "ndjson" },
});

/** The transaction has the chain's next nonce, and is bumped. */
const unstick = row("relayers unstick evm-1 --yes", "PUT /relayers/evm-1/transactions/tx-evm", {
  kind: "once",
  bodies: [`{"to":"${OWN}","value":1000,"gas_limit":21000,"speed":"fastest"}`],
  ...{ item: "tx-evm", readsFirst: true, needsRoutes: true, waits: true },
});

const remove = row("relayers delete evm-1 --yes", "DELETE /relayers/evm-1", {
  ...{ kind: "remove", bodies: [""], provable: true, readsFirst: true, mute: true },
});

const NEW = ["--name", "New", "--network", "testnet", "--network-type", "evm", "--signer-id", "s9"];
const FIELDS = '"name":"New","network":"testnet","network_type":"evm","signer_id":"s9","paused":false';

const creates: Command[] = [
  { name: "without an id", flags: [], body: `{${FIELDS},"id":"<uuid>"}`, provable: true },
  { name: "with an id", flags: ["--id", "new-1"], body: `{"id":"new-1",${FIELDS}}`, provable: false },
].map(({ name, flags, body, provable }) => ({
  name: `relayers create ${name}`,
  argv: ["relayers", "create", ...NEW, ...flags],
  request: { method: "POST", path: "/api/v1/relayers" },
  kind: "create",
  bodies: [body],
  item: provable ? "<uuid>" : "new-1",
  provable,
  ...(!provable && { readsFirst: true as const }),
}));

const clone = row("relayers clone evm-2 --id new-1 --signer-id s9", "POST /relayers", {
  kind: "create",
  bodies: [
    '{"name":"Relayer evm-2","network":"testnet","network_type":"evm","paused":true,"policies":{"min_balance":1},"signer_id":"s9","notification_id":"hook-1","custom_rpc_urls":[{"url":"https://rpc.example.org/key","weight":100}],"id":"new-1"}',
  ],
  ...{ item: "new-1", provable: false, readsFirst: true },
});

const HASHES = `--domain-separator ${"11".repeat(32)} --hash-struct-message ${"22".repeat(32)}`;

const nodes: Command[] = [
  row("relayers balance evm-1", "GET /relayers/evm-1/balance", { shows: ["10000000000000000000000"], mute: true }),
  row("relayers sign evm-1 --message hello", "POST /relayers/evm-1/sign", { shows: ["763e1b"] }),
  row(`relayers sign-typed-data evm-1 ${HASHES}`, "POST /relayers/evm-1/sign-typed-data", { shows: ["763e1b"] }),
  row("relayers sign-transaction xlm-1 --unsigned-xdr AAAAAgAAAAA=", "POST /relayers/xlm-1/sign-transaction", {
    shows: ["c2lnbmVk"],
  }),
  row("relayers rpc evm-1 eth_chainId", "POST /relayers/evm-1/rpc", {
    name: "relayers rpc that asks",
    shows: ["0x7a69"],
  }),
  row("relayers rpc evm-1 eth_sendRawTransaction 0x02f8 --yes", "POST /relayers/evm-1/rpc", {
    name: "relayers rpc that sends",
    kind: "once",
    bodies: ['{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f8"]}'],
    mute: true,
  }),
];

export const relayerCommands: readonly Command[] = [
  ...reads,
  get,
  ...updates,
  ...switches,
  freeze,
  guard,
  unstick,
  remove,
  ...creates,
  clone,
  ...nodes,
];
