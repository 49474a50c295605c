import { connect } from "node:net";

/**
 * `node list-requests.js COUNT`: requests the first ten relayers COUNT times, over sixteen connections with one request
 * each. A response other than 200 fails it. It writes to sockets, so it adds little time.
 */
const CONNECTIONS = 16;
const { hostname, port } = new URL(process.env.RELAYCTL_SERVER);
const request = [
  "GET /api/v1/relayers?page=1&per_page=10 HTTP/1.1",
  `host: ${hostname}:${port}`,
  `authorization: Bearer ${process.env.RELAYCTL_TOKEN}`,
  "\r\n",
].join("\r\n");
let left = Number(process.argv[2]);

for (let connection = 0; connection < CONNECTIONS; connection++) {
  const socket = connect({ port, host: hostname, noDelay: true });
  let missing = 0;
  socket.on("connect", ask).on("data", (chunk) => {
    missing = (missing || lengthOf(chunk)) - chunk.length;
    if (missing === 0) ask();
    else if (missing < 0) throw new Error("more was answered than was asked");
  });

  function ask() {
    if (left === 0) socket.end();
    else {
      left--;
      socket.write(request);
    }
  }
}

/** The head of a response comes in its first chunk. */
function lengthOf(chunk) {
  const head = chunk.toString("latin1", 0, chunk.indexOf("\r\n\r\n"));
  const [, status] = /^HTTP\/1.1 ([0-9]+)/.exec(head);
  if (status !== "200") throw new Error(`answered with ${status}`);
  return head.length + 4 + Number(/^content-length: ([0-9]+)/im.exec(head)[1]);
}
