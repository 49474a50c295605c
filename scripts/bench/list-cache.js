import { createServer, get } from "node:http";

/** `node list-cache.js URL`: a server that asks the one at the URL once for each list, and from then on answers from memory. */
const origin = process.argv[2];
const kept = new Map();

const server = createServer({ keepAliveTimeout: 60_000 }, async ({ url, headers }, response) => {
  const body = kept.get(url) ?? (await ask(url, headers.authorization));
  kept.set(url, body);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});

server.listen(0, "127.0.0.1", () => console.log(`export RELAYCTL_SERVER=http://127.0.0.1:${server.address().port}`));

function ask(url, authorization) {
  return new Promise((resolve, reject) => {
    get(`${origin}${url}`, { headers: { authorization } }, async (reply) => {
      if (reply.statusCode !== 200) throw new Error(`${url} was answered with ${reply.statusCode}`);
      resolve(Buffer.concat(await reply.toArray()));
    }).once("error", reject);
  });
}
