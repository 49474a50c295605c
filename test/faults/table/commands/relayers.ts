import type { Command } from "../command.ts";

const LIST = { method: "GET", path: "/api/v1/relayers" };
const GET = { method: "GET", path: "/api/v1/relayers/evm-1" };
const UPDATE = { method: "PATCH", path: "/api/v1/relayers/evm-1" };
const ALL = ["evm-1", "evm-2", "evm-3", "sol-1", "xlm-1"];
const MAX_U128 = "340282366920938463463374607431768211455";
const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

const reads: Command[] = [
  { name: "relayers list", argv: ["relayers", "list"], request: LIST, shows: ALL },
  { name: "relayers list in pages", argv: ["relayers", "list", "--per-page", "2"], request: LIST, shows: ALL },
  { name: "relayers list one page", argv: ["relayers", "list", "--page", "1"], request: LIST, shows: ALL },
  { name: "relayers status", argv: ["relayers", "status"], request: LIST, shows: ALL },
].map((command) => ({ ...command, kind: "read", item: "relayers", list: true }));

const get: Command = {
  name: "relayers get",
  argv: ["relayers", "get", "evm-1"],
  request: GET,
  kind: "read",
  item: "evm-1",
  shows: ["evm-1"],
};

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
      request: UPDATE,
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
const freeze: Command = {
  name: "relayers freeze",
  argv: ["relayers", "freeze", "evm-3", "--yes"],
  request: { method: "PATCH", path: "/api/v1/relayers/evm-3" },
  kind: "patch",
  bodies: ['{"paused":true}'],
  item: "evm-3",
  provable: true,
  readsFirst: true,
  outwaits: true,
};

/** The chain's next nonce is that of the transaction, which is bumped. */
const unstick: Command = {
  name: "relayers unstick",
  argv: ["relayers", "unstick", "evm-1", "--yes"],
  request: { method: "PUT", path: "/api/v1/relayers/evm-1/transactions/tx-evm" },
  kind: "once",
  bodies: [`{"to":"${OWN}","value":1000,"gas_limit":21000,"speed":"fastest"}`],
  item: "tx-evm",
  readsFirst: true,
  needsRoutes: true,
  waits: true,
};

const remove: Command = {
  name: "relayers delete",
  argv: ["relayers", "delete", "evm-1", "--yes"],
  request: { method: "DELETE", path: "/api/v1/relayers/evm-1" },
  kind: "remove",
  bodies: [""],
  item: "evm-1",
  provable: true,
  readsFirst: true,
  mute: true,
};

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

const clone: Command = {
  name: "relayers clone",
  argv: ["relayers", "clone", "evm-2", "--id", "new-1", "--signer-id", "s9"],
  request: { method: "POST", path: "/api/v1/relayers" },
  kind: "create",
  bodies: [
    '{"name":"Relayer evm-2","network":"testnet","network_type":"evm","paused":true,"policies":{"min_balance":1},"signer_id":"s9","notification_id":"hook-1","custom_rpc_urls":[{"url":"https://rpc.example.org/key","weight":100}],"id":"new-1"}',
  ],
  item: "new-1",
  provable: false,
  readsFirst: true,
};

const RPC = { method: "POST", path: "/api/v1/relayers/evm-1/rpc" };

const HASHES = ["--domain-separator", "11".repeat(32), "--hash-struct-message", "22".repeat(32)];

const nodes: Command[] = [
  {
    name: "relayers balance",
    argv: ["relayers", "balance", "evm-1"],
    request: { method: "GET", path: "/api/v1/relayers/evm-1/balance" },
    kind: "read",
    item: "evm-1",
    shows: ["10000000000000000000000"],
    mute: true,
  },
  {
    name: "relayers sign",
    argv: ["relayers", "sign", "evm-1", "--message", "hello"],
    request: { method: "POST", path: "/api/v1/relayers/evm-1/sign" },
    kind: "read",
    item: "evm-1",
    shows: ["763e1b"],
  },
  {
    name: "relayers sign-typed-data",
    argv: ["relayers", "sign-typed-data", "evm-1", ...HASHES],
    request: { method: "POST", path: "/api/v1/relayers/evm-1/sign-typed-data" },
    kind: "read",
    item: "evm-1",
    shows: ["763e1b"],
  },
  {
    name: "relayers sign-transaction",
    argv: ["relayers", "sign-transaction", "xlm-1", "--unsigned-xdr", "AAAAAgAAAAA="],
    request: { method: "POST", path: "/api/v1/relayers/xlm-1/sign-transaction" },
    kind: "read",
    item: "xlm-1",
    shows: ["c2lnbmVk"],
  },
  {
    name: "relayers rpc that asks",
    argv: ["relayers", "rpc", "evm-1", "eth_chainId"],
    request: RPC,
    kind: "read",
    item: "evm-1",
    shows: ["0x7a69"],
  },
  {
    name: "relayers rpc that sends",
    argv: ["relayers", "rpc", "evm-1", "eth_sendRawTransaction", "0x02f8", "--yes"],
    request: RPC,
    kind: "once",
    bodies: ['{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f8"]}'],
    item: "evm-1",
    mute: true,
  },
];

export const relayerCommands: readonly Command[] = [
  ...reads,
  get,
  ...updates,
  ...switches,
  freeze,
  unstick,
  remove,
  ...creates,
  clone,
  ...nodes,
];
