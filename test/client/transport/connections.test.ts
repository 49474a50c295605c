import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { type Confirmation, type Connection, TransportFailure } from "../../../src/client/transport/transport.ts";
import { openTransport } from "../../../src/client/transport.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { type Act, answers, hangs, resets, writes } from "../../helpers/service/raw-server.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET, network, open, PUT } from "./network.ts";

describe("a connection", () => {
  test("sends consecutive reads over one connection", async () => {
    const server = await open(answers(200, "{}"));
    const transport = network("kept", server.origin);
    for (let count = 0; count < 3; count++) await transport(GET);
    expect([server.received.length, server.connections()]).toEqual([3, 1]);
  });

  test("reuses the connections of a pool", async () => {
    const server = await open(answers(200, "{}"));
    const transport = network("pooled", server.origin);
    for (let count = 0; count < 10; count++) await transport(PUT);
    expect(server.connections()).toBeLessThan(5);
  });

  test.each<Connection>(["kept", "pooled"])(
    "closes an idle connection long before the service does after 55 seconds: %s",
    async (connection) => {
      let closed: Promise<void> | undefined;
      const server = await open((socket, request) => {
        closed = new Promise((resolve) => socket.once("close", () => resolve()));
        answers(200, "{}")(socket, request);
      });
      await network(connection, server.origin)(GET);
      await closed;
      expect(server.connections()).toBe(1);
    },
  );

  test("never sends a write with a separate connection over a used connection", async () => {
    const server = await open(answers(200, "{}"));
    const transport = network("own", server.origin);
    await transport(GET, { connection: "kept" });
    for (let count = 0; count < 3; count++) await transport(PUT);
    expect(server.connections()).toBe(4);
  });

  test.each<Connection>(["own", "pooled"])("waits for 5 ms of silence before a write: %s", async (connection) => {
    const timeouts = vi.spyOn(Socket.prototype, "setTimeout");
    onTestFinished(() => timeouts.mockRestore());
    const server = await open(answers(200, "{}"));
    await network(connection, server.origin)(PUT);
    expect(timeouts.mock.calls.filter(([milliseconds]) => milliseconds === 1)).toHaveLength(5);
  });

  test.each<Connection>(["kept", "pooled"])(
    "sends parallel requests over parallel %s connections",
    async (connection) => {
      const server = await open(answers(200, "{}"));
      const transport = network(connection, server.origin);
      await Promise.all(Array.from({ length: 4 }, () => transport(GET)));
      expect(server.connections()).toBe(4);
    },
  );

  test.each<Connection>(["own", "kept", "pooled"])(
    "does not take an unrequested response for the response to the next request: %s",
    async (connection) => {
      const server = await open(
        (socket, request) => {
          answers(200, "{}")(socket, request);
          setImmediate(() => answers(200, "[]")(socket, request));
        },
        answers(200, "{}"),
      );
      const transport = network(connection, server.origin);
      await transport(GET);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(await transport(GET)).toMatchObject({ body: Buffer.from("{}") });
    },
  );

  test.each<Connection>(["own", "kept", "pooled"])(
    "drops a second response in the same packet as the first: %s",
    async (connection) => {
      const both = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]";
      const server = await open(writes(both), answers(200, "{}"));
      const transport = network(connection, server.origin);
      expect(await transport(GET)).toMatchObject({ body: Buffer.from("{}") });
      expect(await transport(GET)).toMatchObject({ body: Buffer.from("{}") });
    },
  );

  test.each<Connection>(["kept", "pooled"])("does not reuse a %s connection that was lost", async (connection) => {
    const server = await open(resets, answers(200, "{}"));
    const transport = network(connection, server.origin);
    expect(await errorOf(transport(GET))).toMatchObject({ reason: "reset" });
    expect(await transport(GET)).toMatchObject({ status: 200 });
  });

  test.each<Connection>(["kept", "pooled"])(
    "ends one of several %s requests without ending the others",
    async (connection) => {
      const ended = new AbortController();
      const server = await open(hangs, (socket) => {
        ended.abort("timeout");
        answers(200, "{}")(socket, "");
      });
      const transport = network(connection, server.origin);
      const left = errorOf(transport(PUT, { signal: ended.signal }));
      expect(await transport(PUT)).toMatchObject({ status: 200 });
      expect(await left).toMatchObject({ reason: "timeout", sent: true });
    },
  );

  test("closes a kept connection after a response that belongs to another request", async () => {
    const server = await open(answers(200, "{}"));
    const transport = network("kept", server.origin);
    for (let count = 0; count < 3; count++) await transport(GET, { isOwn: () => count !== 1 });
    expect([server.received.length, server.connections()]).toEqual([3, 2]);
  });

  test("reports what fails while a response is checked", async () => {
    const server = await open(answers(200, "{}"));
    const isOwn = () => {
      throw new TransportFailure("too_large", "the response is too large", { sent: true });
    };
    expect(await errorOf(network("kept", server.origin)(GET, { isOwn }))).toMatchObject({ reason: "too_large" });
  });

  test.each<Connection>(["own", "kept", "pooled"])(
    "sends each request below the path of its server: %s",
    async (way) => {
      const server = await open(answers(200, "{}"));
      const transport = network(way, `${server.origin}/relayer/v1-prod`);
      await transport(GET);
      await transport(PUT);
      expect(server.received.map((text) => text.split("\r\n", 1)[0])).toEqual([
        "GET /relayer/v1-prod/api/v1/relayers?page=1 HTTP/1.1",
        "PUT /relayer/v1-prod/api/v1/x HTTP/1.1",
      ]);
      expect(server.received.join("")).toContain(`host: ${new URL(server.origin).host}\r\n`);
    },
  );
});

const LARGE = { maxBytes: 2 ** 20 };
const page = (letter: string, length = 100_000) => letter.repeat(length);
const inChunks = (...chunks: readonly string[]) =>
  writes(
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${[...chunks, ""].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}`,
  );

function textOf({ body }: WireReply): string {
  return Buffer.from(body).toString("latin1");
}

describe("a read over a kept connection", () => {
  test("is sent as node:http sends it", async () => {
    const server = await open(answers(200, "{}"));
    const transport = network("kept", server.origin);
    await transport(GET);
    const host = new URL(server.origin).host;
    await transport({ ...GET, method: "POST", headers: { accept: "*/*" }, body: '{"é":1}' });
    expect(server.received).toEqual([
      `GET /api/v1/relayers?page=1 HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer token\r\nConnection: keep-alive\r\n\r\n`,
      `POST /api/v1/relayers?page=1 HTTP/1.1\r\nhost: ${host}\r\naccept: */*\r\ncontent-length: 8\r\nConnection: keep-alive\r\n\r\n{"Ã©":1}`,
    ]);
    expect(server.connections()).toBe(1);
  });

  test.each([
    ["beyond ASCII", { "x-name": "é" }, "x-name: é\r\n"],
    ["about the connection", { te: "trailers" }, "te: trailers\r\n"],
  ])("is sent by node:http if it has a header %s", async (_, headers, line) => {
    const server = await open(answers(200, "{}"));
    expect(await network("kept", server.origin)({ ...GET, headers })).toMatchObject({ status: 200 });
    expect(server.received[0]).toContain(line);
  });

  test("is not sent if a header has a line end", async () => {
    const server = await open(answers(200, "{}"));
    const headers = { "x-name": "a\r\nx-injected: b" };
    expect(await errorOf(network("kept", server.origin)({ ...GET, headers }))).toMatchObject({
      code: "ERR_INVALID_CHAR",
    });
    expect(server.received).toEqual([]);
  });

  test("reaches a name with several addresses", async () => {
    const server = await open(answers(200, page("a")));
    const transport = network("kept", server.origin.replace("127.0.0.1", "localhost"));
    expect(textOf(await transport(GET, LARGE))).toBe(page("a"));
  });
});

describe("the memory of a large body", () => {
  test("is used again after it was given back, and not before", async () => {
    const server = await open(...["a", "b", "c"].map((letter) => answers(200, page(letter))));
    const transport = network("kept", server.origin);
    const first = await transport(GET, LARGE);
    const second = await transport(GET, LARGE);
    expect([textOf(first), textOf(second)]).toEqual([page("a"), page("b")]);
    first.release?.();
    const third = await transport(GET, LARGE);
    expect([textOf(second), textOf(third)]).toEqual([page("b"), page("c")]);
    expect(third.body.buffer).toBe(first.body.buffer);
    expect(third.body.buffer).not.toBe(second.body.buffer);
  });

  test("is used again only once, however often it is given back", async () => {
    const server = await open(...["a", "b", "c"].map((letter) => answers(200, page(letter))));
    const transport = network("kept", server.origin);
    const { release } = await transport(GET, LARGE);
    release?.();
    release?.();
    const [second, third] = [await transport(GET, LARGE), await transport(GET, LARGE)];
    expect([textOf(second), textOf(third)]).toEqual([page("b"), page("c")]);
  });

  test("grows for chunks, and holds exactly what they hold", async () => {
    const chunks = ["x".repeat(10), page("y", 70_000), page("z", 300_000)];
    const server = await open(inChunks(...chunks));
    const transport = network("kept", server.origin);
    for (const _ of [1, 2]) {
      const reply = await transport(GET, LARGE);
      expect(textOf(reply)).toBe(chunks.join(""));
      reply.release?.();
    }
  });

  test("is not held by a small body", async () => {
    const server = await open(inChunks(...Array.from({ length: 40 }, () => page("s", 1000))));
    const { body, release } = await network("kept", server.origin)(GET, LARGE);
    expect(body.length).toBe(40_000);
    expect(body.buffer.byteLength).toBeLessThan(64 * 2 ** 10);
    expect(release).toBeUndefined();
  });
});

const LIST = '{"success":true,"data":[]}';
const REFUSAL = "HTTP/1.1 400 Words\r\ncontent-length: 2\r\n\r\n{}";
const LAST = REFUSAL.replace("\r\n", "\r\nconnection: close\r\n");
const SUCCESS = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/** A refusal is watched until something happens on its connection, unless the time is up at once. */
function confirmation(linger: "until something happens" | "not at all"): Confirmation {
  return {
    isNeeded: ({ status }) => status >= 300,
    linger: () => (linger === "not at all" ? Promise.resolve() : new Promise(() => {})),
    question: () => GET,
    isResponse: ({ status, body }) => status === 400 || Buffer.from(body).toString() === LIST,
  };
}

const UNTIL = confirmation("until something happens");
const BRIEFLY = confirmation("not at all");

describe("over a separate connection", () => {
  const refused = async (act: Act, confirmation: Confirmation) => {
    const server = await open(act);
    return await network("own", server.origin)(PUT, { confirmation });
  };

  test("a refusal is accepted without a further request if the service then closes the connection", async () => {
    const server = await open((socket) => void socket.end(REFUSAL));
    const reply = await network("own", server.origin)(PUT, { confirmation: UNTIL });
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.doubt).toBeUndefined();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatch(/\r\nconnection: close\r\n/i);
  });

  test("a refusal that ends with the connection is accepted", async () => {
    const server = await open((socket) => void socket.end("HTTP/1.1 400 Words\r\n\r\nno"));
    const reply = await network("own", server.origin)(PUT, { confirmation: UNTIL });
    expect(reply).toMatchObject({ status: 400, body: Buffer.from("no") });
    expect(reply.doubt).toBeUndefined();
  });

  test("a refusal is accepted if nothing follows in time", async () =>
    expect((await refused(writes(REFUSAL), BRIEFLY)).doubt).toBeUndefined());

  test.each([
    ["in the same packet", writes(REFUSAL + SUCCESS)],
    ["in the next turn", later(SUCCESS)],
    ["truncated", later("HTTP/1.1 2")],
    ["as garbage", later("\r\n")],
  ])("a refusal is doubted if more data follows: %s", async (_, act) => {
    expect((await refused(act, UNTIL)).doubt).toBe("more than one response came, or a malformed one");
  });
});

/** A refusal, and then more. */
function later(text: string): Act {
  return (socket) => {
    socket.write(REFUSAL);
    setImmediate(() => socket.write(text));
  };
}

describe("over a shared connection", () => {
  const second = async (confirmation: Confirmation, ...acts: readonly Act[]) => {
    const server = await open(answers(200, "{}"), ...acts);
    const transport = network("pooled", `${server.origin}/below`);
    await transport(PUT, { confirmation });
    const reply = await transport(PUT, { confirmation });
    return { reply, server, transport };
  };

  test("a refusal is accepted if the service then responds to a read over the same connection", async () => {
    const { reply, server } = await second(BRIEFLY, writes(REFUSAL), answers(200, LIST));
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.doubt).toBeUndefined();
    expect(server.received.map((text) => text.slice(0, 10))).toEqual(["PUT /below", "PUT /below", "GET /below"]);
    expect(server.connections()).toBe(1);
  });

  test("a refusal is accepted if the service then refuses the read, and the connection is not used again", async () => {
    const { reply, server, transport } = await second(BRIEFLY, writes(REFUSAL), writes(REFUSAL), answers(200, "{}"));
    expect(reply.doubt).toBeUndefined();
    await transport(PUT);
    expect(server.connections()).toBe(2);
  });

  test.each<[string, readonly Act[]]>([
    ["the read gets the response to the write", [writes(REFUSAL), writes(SUCCESS)]],
    ["the response to the write comes after the response to the read", [writes(REFUSAL), after(LIST, SUCCESS)]],
    ["the response to the write comes together with the refusal", [writes(REFUSAL + SUCCESS), answers(200, LIST)]],
    ["the read gets no response", [writes(REFUSAL), resets]],
    ["the service fails on the read", [writes(REFUSAL), answers(503, "")]],
    ["the connection is closed", [writes(LAST)]],
  ])("a refusal is doubted if %s", async (_, acts) => {
    const { reply } = await second(UNTIL, ...acts, answers(200, LIST));
    expect(reply).toMatchObject({ status: 400, doubt: expect.any(String) });
  });

  test("a refusal that ends the connection is accepted if it was the connection's first response", async () => {
    const server = await open(writes(LAST), answers(200, LIST));
    const reply = await network("pooled", server.origin)(PUT, { confirmation: UNTIL });
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.doubt).toBeUndefined();
  });

  test("a timeout of the attempt ends the confirmation and makes the outcome unknown", async () => {
    const ended = new AbortController();
    const server = await open(writes(REFUSAL), () => ended.abort("timeout"));
    const transport = network("pooled", server.origin)(PUT, { confirmation: UNTIL, signal: ended.signal });
    await expect(transport).rejects.toMatchObject({ reason: "timeout", sent: true, status: 400 });
  });
});

/** A response with bytes after its end, which nothing requested. */
function after(body: string, more: string): Act {
  return (socket, request) => {
    answers(200, body)(socket, request);
    setImmediate(() => socket.write(more));
  };
}

/** Resolves when the next connection that this process opens is closed, as its own side knows. */
function closeOfNextSocket(): Promise<void> {
  return new Promise((resolve) => {
    const opened = (message: unknown) => {
      unsubscribe("net.client.socket", opened);
      (message as { socket: Socket }).socket.once("close", () => resolve());
    };
    subscribe("net.client.socket", opened);
  });
}

const CLOSES: [string, Act][] = [
  ["closes it", (socket) => socket.end()],
  ["resets it", (socket) => socket.resetAndDestroy()],
];

test.each(CLOSES.flatMap(([how, act]) => (["kept", "pooled"] as const).map((used) => [how, used, act] as const)))(
  "reuses no connection for a write after the service %s between two requests: %s",
  async (_, connection, close) => {
    const closesAfterwards: Act = (socket, request) => {
      answers(200, "{}")(socket, request);
      setImmediate(() => close(socket, request));
    };
    const server = await open(closesAfterwards, answers(200, "{}"));
    const transport = network("pooled", server.origin);
    const closed = closeOfNextSocket();
    await transport(GET, { connection });
    await closed;
    for (let count = 0; count < 3; count++) await transport(PUT);
    expect(server.connections()).toBe(4);
  },
);

test("keeps reusing connections for writes after the service has announced a close", async () => {
  const announced = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
  const server = await open((socket) => socket.end(announced), answers(200, "{}"));
  const transport = network("pooled", server.origin);
  for (let count = 0; count < 4; count++) await transport(PUT);
  expect(server.connections()).toBe(2);
});

test("sends writes in bulk over separate connections if WebAssembly is missing", async () => {
  const server = await open(answers(200, "{}"));
  const transport = network("pooled", server.origin);
  const library: unknown = Reflect.get(globalThis, "WebAssembly");
  onTestFinished(() => void Object.assign(globalThis, { WebAssembly: library }));
  Reflect.deleteProperty(globalThis, "WebAssembly");
  for (let count = 0; count < 3; count++) expect(await transport(PUT)).toMatchObject({ status: 200 });
  expect(server.connections()).toBe(3);
});

test.each(["EMFILE", "ENFILE"])(
  "says that no file can be opened for a connection, and what helps: %s",
  async (code) => {
    const findAddresses = () => Promise.reject(Object.assign(new Error("open"), { code }));
    const transport = openTransport({ origin: "http://service.example", caCertificates: [], findAddresses });
    const { signal } = new AbortController();
    const failed = await errorOf(transport(PUT, { maxBytes: 1000, connection: "own", signal }));
    expect(failed).toMatchObject({
      sent: false,
      message: expect.stringContaining("too many files are open; raise the limit"),
    });
  },
);
