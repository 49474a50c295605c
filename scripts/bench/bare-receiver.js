import { createServer } from "node:http";

/** `node bare-receiver.js`: reads each body and responds, with node:http only. This is the fastest that node:http can be. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    Buffer.concat(chunks);
    response.writeHead(200, { "content-length": 0 }).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(`export RELAYCTL_SERVER=http://127.0.0.1:${server.address().port}`));
