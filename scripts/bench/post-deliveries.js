import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";

/**
 * `node post-deliveries.js COUNT`: so many signed webhook deliveries, no two the same, over sixteen connections, each with
 * one under way. A reply that is not 200 fails it. It writes to sockets, so that little of the time is its own.
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

/** A transaction as the service sends it, about 900 bytes. */
function requestOf(id) {
  const transaction = {
    id: `tx-${id}`,
    hash: `0x${"5d".repeat(32)}`,
    status: "submitted",
    status_reason: null,
    created_at: "2026-08-20T10:00:00.123456789+00:00",
    sent_at: "2026-08-20T10:00:01.500000000+00:00",
    confirmed_at: null,
    gas_price: null,
    gas_limit: 21000,
    nonce: 7,
    value: "0xe8d4a51000",
    from: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    to: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    relayer_id: "eth-main-1",
    data: null,
    max_fee_per_gas: "2000000000",
    max_priority_fee_per_gas: "1000000000",
    signature: { r: "9a".repeat(32), s: "3b".repeat(32), v: 1 },
    speed: "fast",
    is_canceled: false,
  };
  const payload = { payload_type: "transaction", ...transaction };
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
