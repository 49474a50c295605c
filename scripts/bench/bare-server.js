import { createServer, get } from "node:http";

/** `node bare-server.js URL`: sends a service's response for one path to every request, as fast as node:http can. */
const path = "/api/v1/relayers?page=1&per_page=10";
const headers = { authorization: `Bearer ${process.env.RELAYCTL_TOKEN}` };

get(process.argv[2] + path, { headers }, async (reply) => {
  if (reply.statusCode !== 200) throw new Error(`${path} was answered with ${reply.statusCode}`);
  const text = Buffer.concat(await reply.toArray()).toString();
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length }).end(text);
  });
  server.listen(0, "127.0.0.1", () => console.log(`export RELAYCTL_SERVER=http://127.0.0.1:${server.address().port}`));
});
