import { SIGNING_KEY } from "../../world.ts";
import { type Command, row } from "../command.ts";

const SIGNER = `"type":"turnkey","config":{"api_public_key":"a","organization_id":"o","private_key_id":"i","public_key":"p","api_private_key":"${SIGNING_KEY}"}`;
const TURNKEY =
  "--type turnkey --api-public-key a --organization-id o --private-key-id i --public-key p --api-private-key-file key.txt";

const create = row(`signers create ${TURNKEY}`, "POST /signers", {
  files: { "key.txt": SIGNING_KEY },
  ...{ kind: "create", bodies: [`{${SIGNER},"id":"<uuid>"}`], item: "<uuid>", provable: true },
});

const updates: Command[] = [
  {
    line: "networks update networks-1 --rpc-url https://rpc.example.org,weight=7",
    body: '{"rpc_urls":[{"url":"https://rpc.example.org","weight":7}]}',
  },
  { line: "plugins update plugins-1 --plugin-timeout 60s --emit-logs", body: '{"timeout":60,"emit_logs":true}' },
].map(({ line, body }) =>
  row(line, `PATCH /${line.replace(/ update (\S+) .*/, "/$1")}`, { kind: "patch", bodies: [body], provable: true }),
);

const call = row("plugins call plugins-1 -f body.json --yes", "POST /plugins/plugins-1/call", {
  files: { "body.json": '{"params":{"amount":12345678901234567890}}' },
  ...{ kind: "once", bodies: ['{"params":{"amount":12345678901234567890}}'], unvalidated: true },
});

const remove = row("signers delete signers-1 --yes", "DELETE /signers/signers-1", {
  ...{ kind: "remove", bodies: [""], provable: true, readsFirst: true, mute: true },
});

const reads: Command[] = ["signers", "networks", "plugins"].flatMap((noun) => [
  row(`${noun} list`, `GET /${noun}`, { shows: [`${noun}-1`, `${noun}-2`], list: true }),
  row(`${noun} get ${noun}-1`, `GET /${noun}/${noun}-1`, { shows: [`${noun}-1`] }),
]);

/** What accounts for nonces that were not used yet: the records are what can fail. */
const audits: Command[] = ["audit evm-1 --nonces 900..900", "spend evm-1 --since 1d"].map((line) =>
  row(line, "GET /relayers/evm-1/transactions", {
    ...{ name: line.split(" ")[0] ?? "", item: "evm-1", list: true, readsFirst: true },
  }),
);

/** Of signers, networks and plugins, and of what was spent. */
export const otherCommands: readonly Command[] = [...reads, ...audits, create, remove, ...updates, call];
