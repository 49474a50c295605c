import type { Confirmation } from "../../../src/client/transport/transport.ts";
import { type Act, answers, resets, writes } from "../../helpers/service/raw-server.ts";
import { GET, network, open, PUT } from "./network.ts";

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
