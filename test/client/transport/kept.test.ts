import type { WireReply } from "../../../src/contract/wire.ts";
import { answers, writes } from "../../helpers/service/raw-server.ts";
import { errorOf } from "../../helpers/test-link.ts";
import { GET, network, open } from "./network.ts";

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
