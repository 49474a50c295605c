import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/**
 * `node patch-all.js CONNECTIONS`: sends a PATCH for each ID of the file IDS, with node:http only, and fails unless all are 200.
 */
const connections = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const body = JSON.stringify({ name: "bench" });
const headers = {
  authorization: `Bearer ${process.env.RELAYCTL_TOKEN}`,
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
};
const ids = readFileSync(process.env.IDS, "utf8").trimEnd().split("\n");
const url = `${process.env.RELAYCTL_SERVER}/api/v1/relayers/`;

for (let connection = 0; connection < connections; connection++) patchNext();

function patchNext() {
  const id = ids.pop();
  if (id === undefined) return;
  request(url + id, { agent, headers, method: "PATCH" }, (reply) => {
    if (reply.statusCode !== 200) throw new Error(`${id} was answered with ${reply.statusCode}`);
    reply.on("data", () => {}).once("end", patchNext);
  }).end(body);
}
