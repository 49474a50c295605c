import type { Method } from "../../../src/contract/wire.ts";
import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { createServerState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { type Recorded, recorded, recordedAs } from "../../helpers/service/recorded.ts";
import { stoppedClock, TOKEN } from "../ask.ts";

/** A recorded exchange, and the embedded server's response to the same request. */
interface Replayed {
  exchange: Recorded;
  status: number;
  type: string | undefined;
  text: string;
}

/** What cannot be reached on the machine of the recording, and what cannot be reached here. */
const DEAD = [/http:\/\/127\.0\.0\.1:9\b/g, "http://node.invalid"] as const;
const KEY = "ab".repeat(32);
const LONG_BODY = 2_200_032;

/** Asks everything that was recorded with the service in memory, in its order, of one server that begins with nothing. */
async function replayed(): Promise<Replayed[]> {
  const networks = JSON.parse(recordedAs("networks").response.body.replace(...DEAD)).data;
  const clock = stoppedClock();
  let ids = 0;
  const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0 };
  const store = memoryStore(createServerState({ networks }));
  const server = createEmbeddedServer({ token: TOKEN, store, clock, random, dialect: openzeppelinDialect(random) });
  const names = createNames();
  const replies: Replayed[] = [];

  async function ask({ method, path, headers, body }: Recorded["request"]) {
    const given = body === null ? {} : { body: names.ours(body.replace(...DEAD)) };
    const reply = await server({
      method: method as Method,
      target: names.ours(path),
      headers: sent(headers),
      ...given,
    });
    return { ...reply, text: new TextDecoder().decode(reply.body) };
  }

  async function catchUp({ request, response }: Recorded): Promise<void> {
    const [path] = /^\/api\/v1\/relayers\/[^/]+\/transactions\/[0-9a-f-]{36}$/.exec(request.path) ?? [];
    const status = dataOf(response.body).status;
    if (path === undefined || status === undefined) return;
    const look = { method: "GET", path, headers: { authorization: "Bearer <token>" }, body: null };
    for (let tries = 0; tries < 300 && dataOf((await ask(look)).text).status !== status; tries++) clock.time += 500;
  }

  for (const exchange of recorded.filter(({ storage }) => storage === "in_memory")) {
    await catchUp(exchange);
    const { status, headers, text } = await ask(exchange.request);
    names.learn(dataOf(exchange.response.body), dataOf(text));
    replies.push({ exchange, status, type: headers["content-type"], text: names.recorded(text) });
  }
  return replies;
}

function sent(headers: Recorded["request"]["headers"]): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.replace("<token>", TOKEN)]);
  return Object.fromEntries(lower);
}

/** Returns the data of a response if it is one object. */
function dataOf(text: string): Record<string, unknown> {
  const data = text.startsWith("{") ? JSON.parse(text).data : undefined;
  return typeof data === "object" && data !== null && !Array.isArray(data) ? data : {};
}

/** What the service made up by itself goes by other names here: ids that it gives, addresses of its signers. */
function createNames() {
  const pairs = new Map<string, string>();
  return {
    learn(recorded: Record<string, unknown>, ours: Record<string, unknown>): void {
      for (const field of ["id", "address"]) {
        const [theirs, made] = [recorded[field], ours[field]];
        if (typeof theirs === "string" && typeof made === "string") pairs.set(theirs, made);
      }
    },
    /** A text of the recording as it is asked here. */
    ours(text: string): string {
      return [...pairs]
        .reduce((changed, [theirs, made]) => changed.replaceAll(theirs, made), text)
        .replaceAll("<64 hex characters>", KEY)
        .replace(/<[0-9]+ bytes>/, () => `"${" ".repeat(LONG_BODY - 2)}"`)
        .replace(/<[^>]*key[^>]*>/g, KEY);
    },
    /** A text of ours as it would be in the recording. */
    recorded(text: string): string {
      return [...pairs].reduce((changed, [theirs, made]) => changed.replaceAll(made, theirs), text);
    },
  };
}

/** Deliberate differences, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "gzip asked": "nothing is compressed",
  "create unknown signer": "a relayer may have any signer, so that one can be tried without a key",
  "api keys": "keys that do nothing have no route",
  "big body": "a body is cut before it is heard, over sockets alone (listen.test.ts)",
  "delete relayer in use": "other transactions are under way by then",
  "replace value string u128": "the relayer holds another balance",
};

/** Whether every byte is compared: not hashes, signatures, and lists in the order of another storage. */
function isExact({ request, response: { status, body } }: Recorded): boolean {
  const isResource = /\/(?:relayers|notifications|signers|networks)(?:\/[^/?]+)?(?:\?.*)?$/.test(request.path);
  const isTold = isResource || /\/(?:rpc|plugins)$|POST .*\/transactions$/.test(`${request.method} ${request.path}`);
  return status >= 400 || !body.startsWith("{") || (isTold && !body.includes('"data":[{'));
}

const withoutTime = (text: string) => text.replace(/"created_at":"[^"]*"/, '"created_at":""');

const replies = await replayed();

describe.each(["auth", "paging", "signers", "notifications", "relayers", "transactions", "others", "policies"])(
  "%s",
  (section) => {
    const all = replies.filter(({ exchange }) => exchange.section === section && !(exchange.name in OTHERWISE));
    test.each(all.map((reply) => [reply.exchange.name, reply] as const))("%s", (_, { exchange, ...reply }) => {
      const { status, headers, body } = exchange.response;
      expect([reply.status, reply.type]).toEqual([status, headers["content-type"]]);
      if (isExact(exchange)) expect(withoutTime(reply.text)).toBe(withoutTime(body.replace(...DEAD)));
      else expect(Object.keys(dataOf(reply.text))).toEqual(Object.keys(dataOf(body)));
    });
  },
);
