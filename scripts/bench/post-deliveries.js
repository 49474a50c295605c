import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { transaction } from "./transactions.js";

/**
 * `node post-deliveries.js COUNT`: sends COUNT signed webhook deliveries, all different, over sixteen connections with one
 * delivery each. A response other than 200 fails it. It writes to sockets, so it adds little time.
 */
const CONNECTIONS = 16;
const { hostname, port } = new URL(process.env.RECEIVER);
const key = readFileSync(process.env.KEY_FILE, "utf8");
const count = Number(process.argv[2]);
const requests = Array.from({ length: count }, (_, index) =>
  requestOf(`${process.pid}-${process.hrtime.bigint()}-${index}`),
);

for (let connection = 0; connection < CONNECTIONS; connection++) {
  const socket = connect({ port, host: hostname, noDelay: true });
  let reply = "";
  socket.on("connect", send).on("data", (chunk) => {
    reply += chunk.toString("latin1");
    if (!reply.endsWith("\r\n\r\n")) return;
    if (!reply.startsWith("HTTP/1.1 200 ")) throw new Error(`answered with ${reply.slice(0, 40)}`);
    reply = "";
    send();
  });

  function send() {
    const next = requests.pop();
    if (next === undefined) socket.end();
    else socket.write(next);
  }
}

/** About 900 bytes. */
function requestOf(id) {
  const payload = { payload_type: "transaction", ...transaction(id) };
  const body = JSON.stringify({ id, event: "transaction_update", payload, timestamp: "2026-08-20T10:00:01.6+00:00" });
  const lines = [
    "POST /hook HTTP/1.1",
    `host: ${hostname}:${port}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-signature: ${createHmac("sha256", key).update(body).digest("base64")}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
