import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { inspect } from "node:util";
import { txStatus } from "../../src/contract/transaction/transaction.ts";
import { type ClientEvent, type ClientWithChain, createClient, type PaidRow, planFleet } from "../../src/index.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { sampled } from "../helpers/deep.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { testServer } from "../helpers/service/test-server.ts";

const TOKEN = "Tk9&'x\"<Zp-Token-0123456789";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const RELAYER = "polygon-bulk";

/** Starts the embedded server, which says the token in one member of everything that it returns. */
async function quotingService(member: string): Promise<string> {
  const ask = testServer({ token: TOKEN });
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { ...request.headers } as Record<string, string>;
    const body = Buffer.concat(chunks).toString();
    const wire = { method: request.method as "GET", target: String(request.url), headers, ...(body && { body }) };
    const reply = await ask(wire);
    const json = JSON.parse(new TextDecoder().decode(reply.body).replace(/^OK$/, "{}"));
    for (const item of [json.data].flat()) if (typeof item === "object" && item) item[member] = headers.authorization;
    response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  return `http://127.0.0.1:${await listenInTest(server)}`;
}

const PAYMENTS = { payments: [{ to: TO, value: 1n }] };

/** Returns a file whose relayer differs from the service's in every member that a service may say the token in. */
function fleetFile(): string {
  const path = join(temporaryFolder(), "fleet.json");
  const own = { id: RELAYER, name: "Other", network: "amoy", network_type: "solana", paused: true, signer_id: "s9" };
  writeFileSync(path, JSON.stringify({ relayers: [{ ...own, notification_id: "n9" }] }));
  return path;
}

/** What methods conclude, and what writes only return as the service's data. */
const CONCLUDING: Readonly<Record<string, (client: ClientWithChain, tx: string) => unknown>> = {
  update: async ({ relayers }) => void (await relayers.update(RELAYER, { name: "new", paused: false })),
  send: async ({ tx }) => void (await tx.send(RELAYER, { to: TO, value: 1n, speed: "fast" })),
  cancel: async ({ tx }, id) => void (await tx.cancel(RELAYER, id)),
  predict: ({ tx }, id) => tx.predict(RELAYER, id, { change: "cancel" }),
  verdict: ({ chain }, id) => chain.verdict(RELAYER, id),
  diagnose: ({ chain }) => chain.diagnose(RELAYER),
  doctor: (client) => client.doctor({ relayers: [RELAYER] }),
  planFleet: (client) => planFleet(fleetFile(), client),
  sendMany: ({ tx }) => tx.sendMany(RELAYER, PAYMENTS, { state: temporaryFolder(), confirm: 1n, onRow }),
};
const heard: (PaidRow | ClientEvent)[] = [];
const onRow = (row: PaidRow) => void heard.push(row);
const onEvent = (event: ClientEvent) => void heard.push(event);

const MEMBERS = [
  ...["id", "to", "value", "status", "status_reason", "hash", "nonce", "gas_limit", "created_at", "relayer_id"],
  ...["speed", "name", "network", "network_type", "policies", "paused", "address", "notification_id"],
];

test.each(sampled(MEMBERS, 3))(
  "no error, conclusion, row, or event has the token that a service says as %s",
  async (member) => {
    const server = await quotingService(member);
    const client = createClient({ server, token: TOKEN, retries: 0, onEvent });
    for (const [name, call] of Object.entries(CONCLUDING)) {
      heard.length = 0;
      const result = await Promise.resolve(call(client, "0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60")).catch(
        (error) => error,
      );
      const texts = JSON.stringify([result, heard], (_, value) => (typeof value === "bigint" ? `${value}` : value));
      const shown = result instanceof Error ? inspect(result, { depth: 12, showHidden: true }) + texts : texts;
      expect(/.{0,300}Token-0123/s.exec(shown)?.[0], name).toBeUndefined();
    }
  },
);

test("an unknown status keeps its case, so that a secret in it is found", () => {
  expect([TOKEN, "CONFIRMED", 5].map((status) => txStatus({ status }))).toEqual([TOKEN, "confirmed", ""]);
});
