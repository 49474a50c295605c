// A gateway as a process: each recipe of the table guards the service below its own path.
import { createServer } from "node:http";

const table = JSON.parse(process.argv[2]);
const relayer = { id: "r1", name: "one", network: "mainnet", network_type: "evm", paused: false };
const passed = [];

function respond({ method, url, headers }) {
  const [, name, ...path] = url.split("/");
  if (name === "passed") return { status: 200, headers: {}, body: JSON.stringify(passed) };
  const { demands, refused } = table[name];
  if (Object.entries(demands).some(([header, value]) => headers[header.toLowerCase()] !== value)) return refused;
  if (headers.authorization !== "Bearer test-token") return { status: 401, headers: {}, body: "" };
  passed.push(`${method} ${name}`);
  const one = method === "PATCH" ? { ...relayer, paused: true } : relayer;
  const data = path.at(-1).startsWith("relayers") ? [relayer] : one;
  const pagination = { current_page: 1, per_page: 1000, total_items: 1 };
  const body = JSON.stringify({ success: true, data, error: null, ...(Array.isArray(data) && { pagination }) });
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const { status, headers, body } = respond(request);
    response.writeHead(status, headers).end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on("end", () => process.exit());
