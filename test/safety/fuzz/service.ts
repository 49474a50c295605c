import { createServer } from "node:net";
import { CANARY_TOKEN } from "../../helpers/scan.ts";
import type { Chance } from "./chance.ts";
import { randomJson } from "./values.ts";

/** A service on raw sockets with random responses. */
export async function openService(chance: Chance): Promise<{ origin: string; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      const answer = randomAnswer(chance);
      if (answer === "reset") socket.resetAndDestroy();
      else if (answer !== "nothing") socket.end(Buffer.from(answer, "utf8"));
    });
    open.add(socket);
  });
  const open = new Set<{ destroy(): void }>();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

const STATUSES = [
  200, 200, 200, 201, 204, 206, 301, 303, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 999,
] as const;

function randomAnswer(chance: Chance): string {
  const body = randomBody(chance);
  const status = chance.pick(STATUSES);
  const head = [`HTTP/1.1 ${status} ${chance.once(8) ? CANARY_TOKEN : "Words"}`, ...randomHeaders(chance, body)];
  const whole = `${head.join("\r\n")}\r\n\r\n${body}`;
  return chance.pick<() => string>([
    ...Array.from({ length: 8 }, () => () => whole),
    () => whole.slice(0, chance.below(whole.length)),
    () => chance.text(300),
    () => "nothing",
    () => "reset",
    () => "",
  ])();
}

function randomHeaders(chance: Chance, body: string): string[] {
  const length = Buffer.byteLength(body) + (chance.once(10) ? chance.below(9) - 4 : 0);
  return [
    `content-length: ${length}`,
    "connection: close",
    ...chance.some(
      [
        "content-type: text/html",
        "content-type: application/json; charset=utf-16",
        "content-encoding: gzip",
        "transfer-encoding: chunked",
        "retry-after: 0",
        "retry-after: 99999999999",
        "location: http://127.0.0.1:9/",
        `x-echo: ${CANARY_TOKEN}`,
        `x-long: ${"x".repeat(40_000)}`,
        "bad header",
      ],
      2,
    ),
  ];
}

function randomBody(chance: Chance): string {
  const data = chance.once(2)
    ? `[${randomJson(chance)},{"id":"eth-main-1"}]`
    : `{"id":"eth-main-1","x":${randomJson(chance)}}`;
  const pagination = chance.once(2)
    ? `,"pagination":{"current_page":1,"per_page":10,"total_items":${chance.below(30)}}`
    : "";
  return chance.pick<() => string>([
    () => `{"success":true,"data":${data}${pagination}}`,
    () => `{"success":true,"data":${data}${pagination}}`,
    () => `{"success":false,"data":null,"message":${JSON.stringify(chance.text(40) + CANARY_TOKEN)}}`,
    () => randomJson(chance),
    () => `<html><title>${chance.text(20)}</title>`,
    () => "[".repeat(100_000),
    () => `{"success":true,"success":false,"data":${data}}`,
    () => chance.text(100),
    () => "",
  ])();
}
