import { incomingHead, incomingWithBody } from "../../src/embedded-server/incoming.ts";

const HOST = { host: "localhost" };
const incoming = (headers: Record<string, string>, body: () => AsyncIterator<Uint8Array>) => {
  const request = {
    method: "POST",
    url: "/a",
    headers: { ...HOST, ...headers },
    rawHeaders: Object.entries({ ...HOST, ...headers }).flat(),
    [Symbol.asyncIterator]: body,
  };
  return incomingWithBody(incomingHead(request), request);
};

async function* text(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("{}");
}

test.each([{ "content-length": "2" }, { "transfer-encoding": "chunked" }])(
  "reads a body with the header %j",
  async (headers) => expect((await incoming(headers as Record<string, string>, text)).body).toBe("{}"),
);

test("does not wait for a body without a length or chunks", async () => {
  const never = () => ({ next: () => new Promise<never>(() => {}) });
  expect(await incoming({}, never)).toEqual({ method: "POST", target: "/a", headers: HOST });
});
