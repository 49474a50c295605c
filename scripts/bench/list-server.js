import { readFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { transactionPage } from "./transactions.js";
import { variedPage } from "./varied-fleet.js";

/**
 * `node list-server.js SOURCE [KEY CERTIFICATE]`: serves lists from memory after the first time. The source is the URL of a server,
 * `varied:N`, or `transactions:N`.
 */
const [source, key, certificate] = process.argv.slice(2);
const kept = new Map();
const [, generated, size] = /^(varied|transactions):([0-9]+)$/.exec(source) ?? [];
const generate = { varied: variedPage, transactions: transactionPage }[generated];

const options = { keepAliveTimeout: 60_000 };
const server = key
  ? createTlsServer({ ...options, key: readFileSync(key), cert: readFileSync(certificate) }, respond)
  : createServer(options, respond);
server.listen(0, "127.0.0.1", () => {
  const origin = `http${key ? "s" : ""}://127.0.0.1:${server.address().port}`;
  console.log(`export RELAYCTL_SERVER=${origin}`);
});

async function respond({ url, headers }, response) {
  const body = kept.get(url) ?? (await pageOf(url, headers.authorization));
  kept.set(url, body);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
}

async function pageOf(url, authorization) {
  if (!generate) return await ask(url, authorization);
  const query = new URL(url, "http://localhost").searchParams;
  return Buffer.from(generate(Number(size), Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)));
}

function ask(url, authorization) {
  return new Promise((resolve, reject) => {
    get(`${source}${url}`, { headers: { authorization } }, async (reply) => {
      if (reply.statusCode !== 200) throw new Error(`${url} was answered with ${reply.statusCode}`);
      resolve(Buffer.concat(await reply.toArray()));
    }).once("error", reject);
  });
}
