import { Socket } from "node:net";
import { type Connection, TransportFailure } from "../../../src/client/transport/transport.ts";
import { answers, hangs, resets, writes } from "../../helpers/service/raw-server.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET, network, open, PUT } from "./network.ts";

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

test.each<Connection>(["own", "kept", "pooled"])("sends each request below the path of its server: %s", async (way) => {
  const server = await open(answers(200, "{}"));
  const transport = network(way, `${server.origin}/relayer/v1-prod`);
  await transport(GET);
  await transport(PUT);
  expect(server.received.map((text) => text.split("\r\n", 1)[0])).toEqual([
    "GET /relayer/v1-prod/api/v1/relayers?page=1 HTTP/1.1",
    "PUT /relayer/v1-prod/api/v1/x HTTP/1.1",
  ]);
  expect(server.received.join("")).toContain(`host: ${new URL(server.origin).host}\r\n`);
});
