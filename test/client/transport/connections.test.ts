import { expect, test } from "vitest";
import type { Connection } from "../../../src/client/transport/transport.ts";
import { answers, hangs, resets, writes } from "../../helpers/service/raw-server.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET, network, open, PUT } from "./network.ts";

test("one read after the other goes over one connection", async () => {
  const server = await open(answers(200, "{}"));
  const transport = network("kept", server.origin);
  for (let count = 0; count < 3; count++) await transport(GET);
  expect([server.received.length, server.connections()]).toEqual([3, 1]);
});

test("a pool uses its connections again", async () => {
  const server = await open(answers(200, "{}"));
  const transport = network("pooled", server.origin);
  for (let count = 0; count < 10; count++) await transport(PUT);
  expect(server.connections()).toBeLessThan(5);
});

test("a write of its own never goes over a connection that was used", async () => {
  const server = await open(answers(200, "{}"));
  const transport = network("own", server.origin);
  await transport(GET, { connection: "kept" });
  for (let count = 0; count < 3; count++) await transport(PUT);
  expect(server.connections()).toBe(4);
});

test.each<Connection>(["kept", "pooled"])(
  "requests at once have %s connections beside each other",
  async (connection) => {
    const server = await open(answers(200, "{}"));
    const transport = network(connection, server.origin);
    await Promise.all(Array.from({ length: 4 }, () => transport(GET)));
    expect(server.connections()).toBe(4);
  },
);

test.each<Connection>(["own", "kept", "pooled"])(
  "what a service says unasked is no answer to the next request: %s",
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
  "a second answer in one piece with the first is dropped: %s",
  async (connection) => {
    const both = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]";
    const server = await open(writes(both), answers(200, "{}"));
    const transport = network(connection, server.origin);
    expect(await transport(GET)).toMatchObject({ body: Buffer.from("{}") });
    expect(await transport(GET)).toMatchObject({ body: Buffer.from("{}") });
  },
);

test.each<Connection>(["kept", "pooled"])("a %s connection that was lost is not used again", async (connection) => {
  const server = await open(resets, answers(200, "{}"));
  const transport = network(connection, server.origin);
  expect(await errorOf(transport(GET))).toMatchObject({ reason: "reset" });
  expect(await transport(GET)).toMatchObject({ status: 200 });
});

test.each<Connection>(["kept", "pooled"])("one of many %s requests is left without the others", async (connection) => {
  const ended = new AbortController();
  const server = await open(hangs, (socket) => {
    ended.abort("timeout");
    answers(200, "{}")(socket, "");
  });
  const transport = network(connection, server.origin);
  const left = errorOf(transport(PUT, { signal: ended.signal }));
  expect(await transport(PUT)).toMatchObject({ status: 200 });
  expect(await left).toMatchObject({ reason: "timeout", sent: true });
});
