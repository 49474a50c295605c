import { createServer } from "node:http";
import { createClient, planFleet, RelayctlError } from "../../src/index.ts";
import { listenInTest } from "../helpers/service/listen.ts";

type Call = (...given: unknown[]) => unknown;

/** Returns a level for each of many, the innermost first. */
function nested(levels: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = around(value);
  return value;
}

const cycle: Record<string, unknown> = { id: "a" };
cycle.self = cycle;
cycle.again = [cycle];
const loop: unknown[] = [1];
loop.push(loop);
const fail = () => {
  throw new Error("boom");
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const unlisted = new Proxy({}, { ownKeys: fail });
const throwing = Object.defineProperty({}, "gas", { get: fail, enumerable: true });

const ODD: Readonly<Record<string, unknown>> = {
  "an object in itself": cycle,
  "a list in itself": loop,
  "objects 100,000 deep": nested(100_000, (inner) => ({ inner })),
  "lists 100,000 deep": nested(100_000, (inner) => [inner]),
  "a getter that throws": throwing,
  "an object that does not list its members": unlisted,
  "a revoked proxy": revoked.proxy,
};

/** Values that are read to their end, but that no option and no body is. */
const WRONG: Readonly<Record<string, unknown>> = {
  "a date": new Date(0),
  "a map": new Map([["id", "a"]]),
  "a function": fail,
  "a symbol": Symbol("a"),
  "a member that is a symbol": { id: Symbol("a") },
  "a member that is a function": { id: fail },
  "a list with a gap": new Array(2),
  "a large integer": 10n ** 30n,
  "a word": "a",
};

function methodsOf(client: object, path = ""): [string, Call][] {
  return Object.entries(client).flatMap(([name, member]: [string, unknown]): [string, Call][] => {
    if (typeof member === "function") return [[path + name, member as Call]];
    return typeof member === "object" && member !== null ? methodsOf(member, `${path}${name}.`) : [];
  });
}

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const called = call();
    if (Symbol.asyncIterator in Object(called)) for await (const _ of called as AsyncIterable<unknown>) break;
    await called;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Calls every method with a value in each place, and passes on what it threw. */
async function everyCall(value: unknown, seen: (error: unknown, at: string, sent: number) => void): Promise<void> {
  let sent = 0;
  const server = createServer((_, response) => {
    sent++;
    response.writeHead(200, { "content-type": "application/json" }).end('{"success":true,"data":{"id":"a"}}');
  });
  const origin = `http://127.0.0.1:${await listenInTest(server)}`;
  const client = createClient({ server: origin, token: "t".repeat(32), retries: 0 });
  const methods = methodsOf(client);
  expect(methods.length).toBeGreaterThan(40);
  for (const [name, method] of methods)
    for (const before of [[], ["a"], ["a", { id: "a" }]]) {
      sent = 0;
      seen(await thrownBy(() => method(...before, value)), `${name}, argument ${before.length}`, sent);
    }
}

test.each(Object.keys(ODD))("every method refuses %s before it sends anything", async (name) => {
  const wrong: string[] = [];
  await everyCall(ODD[name], (error, at, sent) => {
    if (error instanceof RelayctlError && error.failure === "usage" && sent === 0) JSON.stringify(error.details);
    else wrong.push(`${at}: ${error}, ${sent} sent`);
  });
  expect(wrong).toEqual([]);
});

test.each(Object.keys(WRONG))("no method throws anything but a RelayctlError for %s", async (name) => {
  const wrong: string[] = [];
  await everyCall(WRONG[name], (error, at) => {
    if (error !== undefined && !(error instanceof RelayctlError)) wrong.push(`${at}: ${error}`);
  });
  expect(wrong).toEqual([]);
});

test("the option or the member of the body is named", async () => {
  const client = createClient({ server: "http://127.0.0.1:1", token: "t".repeat(32), retries: 0 });
  const rule = "is a symbol, contains itself, throws when read, or is nested more than 128 deep";
  const named = async (where: string, call: () => unknown) =>
    expect(await thrownBy(call)).toMatchObject({ failure: "usage", details: [{ where, rule }] });
  await named("self", () => client.relayers.create(cycle as never));
  await named("1", () => client.plugins.call("a", loop as never));
  await named("body", () => client.relayers.update("a", revoked.proxy as never));
  await named("policies", () => client.relayers.update("a", { policies: throwing } as never));
  await named("nodeUrl", () => client.chain.open("a", { nodeUrl: loop as never }));
  await named("options", () => client.relayers.get("a", unlisted as never));
  await named("env", () => planFleet("f.json", client, { env: cycle as never }));
});

const ROOT = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const OPTIONS = ["server", "token", "headers", "timeout", "retries", "proxy", "clientCertificate", "caCertificates"];

test.each(OPTIONS)("createClient names %s if its value is not one", (option) => {
  for (const [name, value] of [...Object.entries(ODD), ...Object.entries(WRONG)]) {
    if (typeof value === "string") continue;
    let thrown: unknown;
    try {
      createClient({ server: "http://127.0.0.1:1", token: "t".repeat(32), [option]: value });
    } catch (error) {
      thrown = error;
    }
    if (thrown !== undefined || (option !== "headers" && name !== "a large integer"))
      expect(thrown, name).toBeInstanceOf(RelayctlError);
  }
});

test("createClient refuses a certificate that is not one", () => {
  const create = (caCertificates: string[]) => () =>
    createClient({ server: "http://127.0.0.1:1", token: "t", caCertificates });
  for (const junk of ["junk", "", "ca.pem"])
    expect(create([ROOT, junk])).toThrow("caCertificates: must be a list of PEM certificates");
  expect(create([ROOT])).not.toThrow();
});

test("a body of as many levels as a response may have is sent", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (text) => bodies.push(String(text)));
    request.on("end", () => response.writeHead(200).end('{"success":true,"data":{"id":"a"}}'));
  });
  const origin = `http://127.0.0.1:${await listenInTest(server)}`;
  const client = createClient({ server: origin, token: "t".repeat(32), retries: 0 });
  const shared = { a: 1 };
  const params = { deep: nested(120, (inner) => [inner]), twice: [shared, shared] };
  await thrownBy(() => client.plugins.call("a", { body: params } as never));
  expect(bodies).toEqual([expect.stringContaining('"twice":[{"a":1},{"a":1}]')]);
});

/** Starts a server that shows each resource as its request has it, and keeps the bodies. */
async function echo(): Promise<{ origin: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      bodies.push(text);
      const id = request.method === "PATCH" ? { id: "a" } : {};
      response.end(JSON.stringify({ success: true, data: { relayer_id: "a", id: "t", ...JSON.parse(text), ...id } }));
    });
  });
  return { origin: `http://127.0.0.1:${await listenInTest(server)}`, bodies };
}

test("a program that changes what it passed after the call changes no request", async () => {
  const { origin, bodies } = await echo();
  const client = createClient({ server: origin, token: "t".repeat(32), retries: 0, needsSignatures: false });
  const signing = createClient({ server: origin, token: "t".repeat(32), retries: 0, needsSignatures: true });
  const payment = { to: "0x52908400098527886e0f7030069857d2e4169ee7", value: 0n, speed: "fast" };
  const sent = [1n, 2n, 3n].map((value) => client.tx.send("a", Object.assign(payment, { value })));
  expect(await Promise.allSettled(sent)).toMatchObject([1n, 2n, 3n].map(() => ({ status: "fulfilled" })));
  expect(bodies.map((body) => JSON.parse(body).value)).toEqual([1, 2, 3]);
  const [pause, policies] = [{ paused: true }, { policies: { gas_price_cap: 1n } }];
  const changes = [signing.relayers.update("a", pause), client.relayers.update("a", policies)];
  Object.assign(pause, { paused: false });
  policies.policies.gas_price_cap = 2n;
  await Promise.all(changes);
  expect(bodies.slice(3).toSorted()).toEqual(['{"paused":true}', '{"policies":{"gas_price_cap":1}}']);
});

const REQUEST = { id: "a", kind: "once", method: "POST", path: "/a", data: () => undefined };

test.each([{ kind: "write" }, { kind: undefined }, { method: "post" }, { path: "a" }, { path: "/a b" }, { data: 1 }])(
  "request and pages refuse an operation with %o before they send anything",
  async (wrong) => {
    const { origin, bodies } = await echo();
    const client = createClient({ server: origin, token: "t".repeat(32), retries: 0 });
    const operation = { ...REQUEST, ...wrong } as never;
    for (const call of [() => client.request({ operation, body: {} }), () => client.pages({ operation })])
      expect(await thrownBy(call)).toMatchObject({ failure: "usage", details: [{ where: "request.operation" }] });
    expect(bodies).toEqual([]);
    await thrownBy(() => client.request({ operation: REQUEST as never, body: {} }));
    expect(bodies).toEqual(["{}"]);
  },
);
