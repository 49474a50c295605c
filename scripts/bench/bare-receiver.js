import { createServer } from "node:http";

/** `node bare-receiver.js`: node:http and nothing else, reading each body and answering it. Nothing on node:http can be faster. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    Buffer.concat(chunks);
    response.writeHead(200, { "content-length": 0 }).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(`export RELAYCTL_SERVER=http://127.0.0.1:${server.address().port}`));
