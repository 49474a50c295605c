import { SIGNING_KEY } from "../../world.ts";
import type { Command } from "../command.ts";

const SIGNER = `"type":"turnkey","config":{"api_public_key":"a","organization_id":"o","private_key_id":"i","public_key":"p","api_private_key":"${SIGNING_KEY}"}`;
const TURNKEY =
  "--type turnkey --api-public-key a --organization-id o --private-key-id i --public-key p --api-private-key-file key.txt";

const create: Command = {
  name: "signers create",
  argv: ["signers", "create", ...TURNKEY.split(" ")],
  files: { "key.txt": SIGNING_KEY },
  request: { method: "POST", path: "/api/v1/signers" },
  kind: "create",
  bodies: [`{${SIGNER},"id":"<uuid>"}`],
  item: "<uuid>",
  provable: true,
};

const updates: Command[] = [
  {
    argv: ["networks", "update", "networks-1", "--rpc-url", "https://rpc.example.org,weight=7"],
    body: '{"rpc_urls":[{"url":"https://rpc.example.org","weight":7}]}',
  },
  {
    argv: ["plugins", "update", "plugins-1", "--plugin-timeout", "60s", "--emit-logs"],
    body: '{"timeout":60,"emit_logs":true}',
  },
].map(({ argv, body }) => ({
  name: argv.slice(0, 2).join(" "),
  argv,
  request: { method: "PATCH", path: `/api/v1/${argv[0]}/${argv[2]}` },
  kind: "patch",
  bodies: [body],
  item: argv[2] ?? "",
  provable: true,
}));

const call: Command = {
  name: "plugins call",
  argv: ["plugins", "call", "plugins-1", "-f", "body.json", "--yes"],
  files: { "body.json": '{"params":{"amount":12345678901234567890}}' },
  request: { method: "POST", path: "/api/v1/plugins/plugins-1/call" },
  kind: "once",
  bodies: ['{"params":{"amount":12345678901234567890}}'],
  item: "plugins-1",
  unvalidated: true,
};

const remove: Command = {
  name: "signers delete",
  argv: ["signers", "delete", "signers-1", "--yes"],
  request: { method: "DELETE", path: "/api/v1/signers/signers-1" },
  kind: "remove",
  bodies: [""],
  item: "signers-1",
  provable: true,
  readsFirst: true,
  mute: true,
};

const reads: Command[] = ["signers", "networks", "plugins"].flatMap((noun) => [
  {
    name: `${noun} list`,
    argv: [noun, "list"],
    request: { method: "GET", path: `/api/v1/${noun}` },
    kind: "read",
    item: noun,
    shows: [`${noun}-1`, `${noun}-2`],
    list: true,
  },
  {
    name: `${noun} get`,
    argv: [noun, "get", `${noun}-1`],
    request: { method: "GET", path: `/api/v1/${noun}/${noun}-1` },
    kind: "read",
    item: `${noun}-1`,
    shows: [`${noun}-1`],
  },
]);

/** Of signers, networks and plugins. */
export const otherCommands: readonly Command[] = [...reads, create, remove, ...updates, call];
